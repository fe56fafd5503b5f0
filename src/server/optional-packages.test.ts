import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigurationError } from './configuration-file.ts';
import { GRPC_PACKAGES, TRACE_PACKAGES, withPackages } from './optional-packages.ts';

const need = { flag: '--etcd-servers', packages: GRPC_PACKAGES };

/** What Node's `import` says. */
function missing(name: string): Error {
  return Object.assign(new Error(`Cannot find package '${name}' imported from /x.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
}

/** What Node's `require` says. */
function missingModule(name: string): Error {
  const problem = `Cannot find module '${name}'\nRequire stack:\n- /x.cjs`;
  return Object.assign(new Error(problem), { code: 'MODULE_NOT_FOUND' });
}

test('a flag whose optional package is not installed is an error that names the package', async () => {
  for (const error of [missing('@grpc/grpc-js'), missingModule('@grpc/grpc-js')]) {
    await assert.rejects(
      withPackages(need, () => Promise.reject(error)),
      new ConfigurationError(
        '--etcd-servers needs packages that are not installed with Keelson: npm install "@grpc/grpc-js@^1.14.7"',
      ),
    );
  }
});

test('any other failure to load an optional package is reported unchanged', async () => {
  for (const error of [missing('ws'), new Error('no')]) {
    await assert.rejects(
      withPackages(need, () => Promise.reject(error)),
      error,
    );
  }
  assert.equal(await withPackages(need, () => Promise.resolve(1)), 1);
});

test('optional packages are optional peer dependencies of the published package, in the same versions', () => {
  const published = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const peers = Object.entries(published.peerDependencies).map(([name, versions]) => `${name}@${versions}`);
  const frameworks = ['jest-environment-node', 'vitest'];
  const ofServers = peers.filter((peer) => !frameworks.some((name) => peer.startsWith(`${name}@`)));
  assert.deepEqual(ofServers, TRACE_PACKAGES);
  for (const name of Object.keys(published.peerDependencies)) {
    assert.deepEqual(published.peerDependenciesMeta[name], { optional: true }, name);
  }
});
