import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { strangers } from '../../test/listening.ts';
import { ManualClock } from '../base/clock.ts';
import { loadCredentials } from './credentials.ts';
import { serverOptions } from './options.ts';
import { OwnTokens } from './own-tokens.ts';
import { adminToken } from './pki.ts';
import { silentLog, startServer } from './server.ts';

test('the serving certificate is valid for the advertised address', () => {
  const options = serverOptions({ bindAddress: '0.0.0.0' });
  const load = (address: string | undefined) =>
    loadCredentials({ options, address, clock: new ManualClock(), log: silentLog, ephemeral: true }).tls.cert;
  assert.equal(new X509Certificate(load('192.0.2.7')).checkIP('192.0.2.7'), '192.0.2.7');
  assert.equal(new X509Certificate(load(undefined)).checkIP('192.0.2.7'), undefined);
});

test('with --client-ca-file only its CAs authenticate clients, and the administrator has a token', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'credentials-'));
  context.after(() => rm(dataDir, { recursive: true }));
  const clientCaFile = join(dataDir, 'clients.crt');
  const stranger = strangers(['localhost']);
  await writeFile(clientCaFile, stranger.caCertPem);
  const options = { dataDir, clientCaFile, securePort: 0 };
  const status = (url: string, headers: Record<string, string>, pair = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const init = { rejectUnauthorized: false, agent: false, headers, ...pair } as const;
      get(`${url}/api/v1/nodes`, init, (answer) => resolve(answer.resume().statusCode)).once('error', reject);
    });
  let token = '';
  {
    await using server = await startServer(options, { log: silentLog });
    const own = (name: string) => readFile(join(dataDir, 'pki', name), 'utf8');
    assert.equal(await status(server.url, {}, { cert: await own('admin.crt'), key: await own('admin.key') }), 401);
    assert.equal(await status(server.url, {}, { cert: stranger.adminCertPem, key: stranger.adminKeyPem }), 200);
    const { user } = parse(await readFile(server.kubeconfig!, 'utf8')).users[0];
    assert.deepEqual(Object.keys(user), ['token']);
    token = user.token;
    assert.equal(await status(server.url, { authorization: `Bearer ${token}` }), 200);
    assert.equal(await status(server.url, { authorization: `Bearer ${token}x` }), 401);
  }
  await using again = await startServer(options, { log: silentLog });
  assert.equal(await status(again.url, { authorization: `Bearer ${token}` }), 200, 'after a restart');
});

test('the administrator has no token if the client certificate is trusted', async () => {
  const made = strangers(['localhost']);
  const tokens = new OwnTokens();
  tokens.replaceAdministrator(adminToken(made));
  assert.equal(tokens.authenticateToken(adminToken(made))?.name, 'kubernetes-admin');
  tokens.replaceAdministrator(undefined);
  assert.equal(tokens.authenticateToken(adminToken(made)), undefined);
});
