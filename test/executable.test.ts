// The single-file executable: built, and used where no Node is to be found.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { buildExecutable } from '../scripts/executable.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..');

function missing(): string | false {
  if (process.platform !== 'linux') return 'single-file executables are tried on Linux alone';
  if (
    !process.allowedNodeEnvironmentFlags.has('--build-sea') &&
    !spawnSync(process.execPath, ['--help']).stdout.includes('--build-sea')
  ) {
    return 'this Node builds no single-file executables';
  }
  return existsSync(join(root, 'dist/console')) ? false : "the console's page was not built: run 'npm run build'";
}

suite('the single-file executable', { skip: missing() }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-executable-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const work = join(folder, 'work');
  const env = { PATH: '/usr/bin:/bin', HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') };
  let keelson = '';
  const run = (...argv: string[]) => execFileSync(keelson, argv, { cwd: work, env, encoding: 'utf8' });
  before(async () => {
    mkdirSync(work);
    keelson = await buildExecutable(root, join(folder, 'build'));
  });

  test('the single-file executable runs commands from a folder that is extracted once', () => {
    assert.match(run('version'), /^Keelson \d/);
    assert.match(run('cel', '1 + 1 == 2'), /type +bool/);
    assert.equal(readdirSync(join(folder, 'cache/keelson')).length, 1);
    assert.match(run('run', '--', '/bin/sh', '-c', 'cat "$KUBECONFIG"'), /^apiVersion: v1/);
  });

  test('the single-file executable runs even if its cache folder cannot be written', () => {
    const unwritable = { ...env, XDG_CACHE_HOME: '/dev/null' };
    assert.match(execFileSync(keelson, ['version'], { env: unwritable, encoding: 'utf8' }), /^Keelson/);
  });

  test('the single-file executable runs as envtest assets, and serves a store on disk', async () => {
    run('envtest-assets', 'assets');
    const apiServer = join(work, 'assets/kube-apiserver');
    assert.match(execFileSync(apiServer, ['--help'], { env, encoding: 'utf8' }), /--secure-port/);
    const server = spawn(keelson, ['serve', '--secure-port=0', '--data-dir=data'], { cwd: work, env });
    const exit = once(server, 'exit');
    let said = '';
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text) => (said += text));
    await until('the server listens', () => said.includes('listens on') || server.exitCode !== null);
    server.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null], said);
    assert.match(run('verify', '--data-dir', 'data'), /./);
  });
});
