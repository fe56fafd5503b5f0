// The package as it is published: built and packed from a copy of the checkout, installed in an empty folder, used by
// its three names and as a program. The copy also shows which of source and build its program runs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { ServerProcess } from './clients/server-process.ts';

const root = join(import.meta.dirname, '..');
const { files, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'keelson-package-'));
const checkout = join(folder, 'checkout');
const user = join(folder, 'user');
const installed = join(user, 'node_modules/keelson');

before(() => {
  const shipped = (files as string[]).filter((file) => file !== 'dist' && !file.startsWith('!'));
  const built = [
    'src',
    'scripts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.page.json',
  ];
  for (const path of [...shipped, ...built]) cpSync(join(root, path), join(checkout, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: checkout, stdio: 'pipe' });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components=1']);
  for (const name of Object.keys(dependencies)) {
    const place = join(user, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place);
  }
});

after(() => rmSync(folder, { recursive: true, force: true }));

function program(place: string, ...argv: string[]): string {
  return execFileSync(process.execPath, [join(place, 'bin/keelson.js'), ...argv], { encoding: 'utf8' });
}

test('the package holds what was built, and nothing of how', () => {
  assert.deepEqual(readdirSync(installed).sort(), [
    ...['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md'],
    ...['bin', 'dist', 'package.json'],
  ]);
  const built = readdirSync(join(installed, 'dist'));
  for (const name of ['main.js', 'index.js', 'cel.js', 'testing.js', 'embedded-worker.js', 'types']) {
    assert.ok(built.includes(name), name);
  }
  assert.ok(!built.includes('built-from.json'));
});

test('the installed program keeps objects over a restart', async () => {
  await using server = new ServerProcess(join(user, 'data'), join(installed, 'bin/keelson.js'));
  await server.start();
  const kubeconfig = await server.kubeconfig();
  assert.equal(await server.stop(), 0);
  await server.start();
  assert.equal(await server.kubeconfig(), kubeconfig);
});

test('what the package exports works, and what is loaded late is there', () => {
  const script = join(user, 'use.mjs');
  writeFileSync(
    script,
    `import { startServer } from 'keelson';
     import { examineExpression } from 'keelson/cel';
     import { startTestServer } from 'keelson/testing';
     await using server = await startTestServer();
     const configMap = { metadata: { name: 'a' }, data: { x: 'y' } };
     const created = await server.request('POST', '/api/v1/namespaces/default/configmaps', configMap);
     const review = { spec: { token: 'x' } };
     const special = await server.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
     const documents = await server.request('GET', '/openapi/v3');
     console.log(typeof startServer, typeof examineExpression, created.status, special.status, documents.status);`,
  );
  assert.equal(execFileSync(process.execPath, [script], { encoding: 'utf8' }), 'function function 201 201 200\n');
});

test('the declarations of types are complete', () => {
  writeFileSync(
    join(user, 'use.mts'),
    `import { type Server, startServer } from 'keelson';
     import { examineExpression } from 'keelson/cel';
     import { startTestServer } from 'keelson/testing';
     const server: Server = await startServer({ securePort: 0 });
     const { status }: { status: number } = await (await startTestServer()).request('GET', '/version');
     console.log(server.url, status, examineExpression);
     // @ts-expect-error There is no such option.
     await startServer({ noSuchOption: 1 });`,
  );
  symlinkSync(join(root, 'node_modules/@types'), join(user, 'node_modules/@types'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--target', 'ES2024', '--module', 'NodeNext', '--types', 'node'];
  execFileSync(process.execPath, [tsc, ...flags, 'use.mts'], { cwd: user, stdio: 'pipe' });
});

test('a checkout runs what was built until a file of the source changes', () => {
  const change = (path: string, to: string): void => {
    const text = readFileSync(join(checkout, path), 'utf8');
    assert.ok(text.includes('Print the versions.'));
    writeFileSync(join(checkout, path), text.replace('Print the versions.', to));
  };
  change('dist/main.js', 'Print what ran.');
  assert.match(program(checkout, 'help'), /Print what ran\./);
  change('src/cli/main.ts', 'Print the edition!');
  assert.match(program(checkout, 'help'), /Print the edition!/);
  rmSync(join(checkout, 'dist'), { recursive: true });
  assert.match(program(checkout, 'help'), /Print the edition!/);
});
