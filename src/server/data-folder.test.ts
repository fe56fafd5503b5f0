import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import { silentLog, startServer } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-folder-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a server in memory with a data folder writes only a kubeconfig', async () => {
  const named = join(folder, 'a', 'b');
  const options = { store: 'memory', securePort: 0 } as const;
  await using server = await startServer({ ...options, dataDir: named }, { log: silentLog });
  assert.deepEqual(readdirSync(named), ['admin.kubeconfig']);
  assert.equal(server.kubeconfig, join(named, 'admin.kubeconfig'));
});

test('a server in memory without a data folder writes no file', async () => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    await using server = await startServer({ store: 'memory', securePort: 0 }, { log: silentLog });
    assert.equal(server.kubeconfig, undefined);
    assert.match(server.kubeconfigText, /^apiVersion: v1\n/);
    assert.ok(!existsSync('keelson-data'));
  } finally {
    process.chdir(before);
  }
});

test('a data folder that cannot be created ends the start with one line', {
  skip: !existsSync('/proc/self'),
}, async () => {
  const argv = [program, 'serve', '--data-dir=/proc/nope/x', '--secure-port=0'];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 20_000, killSignal: 9 });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  assert.deepEqual(await once(child, 'close'), [1, null]);
  assert.match(said, /^keelson: [^\n]*\/proc\/nope[^\n]*\n$/);
});

test('metrics show the size of the store in the data folder', async () => {
  const dataDir = join(folder, 'sized');
  await using server = await startServer({ dataDir, securePort: 0 }, { log: silentLog, tokens: [everybody] });
  const headers = { authorization: 'Bearer x' };
  const text = await (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
  const bytes = /^apiserver_storage_size_bytes\{storage_cluster_id="embedded"\} (\S+)$/m.exec(text)?.[1];
  assert.ok(Number(bytes) >= statSync(join(dataDir, 'store.db')).size, String(bytes));
});

const everybody: TokenAuthenticator = {
  permanent: true,
  authenticateToken: () => ({ name: 'admin', groups: ['system:masters'], uid: '', extra: {} }),
};

const program = join(import.meta.dirname, '../../bin/keelson.js');

async function failedStart(...flags: string[]): Promise<string> {
  const child = spawn(process.execPath, [program, 'serve', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  assert.deepEqual(await once(child, 'close'), [1, null]);
  return said;
}

test('a start on a port in use creates neither keys nor a store', async () => {
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as AddressInfo;
  const dataDir = join(folder, 'untouched');
  const said = await failedStart(`--data-dir=${dataDir}`, `--secure-port=${port}`);
  busy.close();
  assert.match(said, /^keelson: cannot listen on 127\.0\.0\.1:\d+: another program uses that port; [^\n]*\n$/);
  assert.ok(!existsSync(dataDir));
});

test('a data folder that is a file, and a damaged CA, are reported with a remedy', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'x');
  const said = await failedStart(`--data-dir=${file}`, '--secure-port=0');
  assert.match(
    said,
    /^keelson: cannot (?:use the data folder|write to) [^\n]*file[^\n]*(?:--data-dir|make it a directory)[^\n]*\n$/,
  );

  const dataDir = join(folder, 'damaged');
  await using server = await startServer({ dataDir, securePort: 0 }, { log: silentLog });
  await server.close();
  const authority = join(dataDir, 'pki', 'ca.crt');
  const whole = readFileSync(authority, 'utf8');
  // One bit of the signature.
  const lines = whole.trimEnd().split('\n');
  const last = lines.length - 2;
  lines[last] = `${lines[last]![0] === 'A' ? 'B' : 'A'}${lines[last]!.slice(1)}`;
  for (const text of ['garbage', `${lines.join('\n')}\n`]) {
    writeFileSync(authority, text);
    const refused = await failedStart(`--data-dir=${dataDir}`, '--secure-port=0');
    assert.match(refused, /keelson: [^\n]*ca\.crt is not an intact certificate: restore it from a backup; or remove/);
  }
});
