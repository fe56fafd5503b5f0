// Encryption at rest by way of a KMS plugin, over a real socket, for the store on this machine.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type KmsPlugin, startKmsPlugin } from '../../../test/kms-plugin.ts';
import { until } from '../../../test/until.ts';
import { ManualClock } from '../../base/clock.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import type { Store } from '../../store/store.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

interface Place {
  readonly socket: string;
  readonly path: string;
}

function place(t: TestContext, { timeout = '3s', more = '', version = 'v2' } = {}): Place {
  const directory = mkdtempSync(join(tmpdir(), 'kms-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const socket = join(directory, 'socket');
  const path = join(directory, 'encryption.yaml');
  const kms = `{apiVersion: ${version}, name: mine, endpoint: 'unix://${socket}', timeout: ${timeout}}`;
  writeFileSync(
    path,
    'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n' +
      `- resources: [secrets]\n  providers: [{kms: ${kms}}${more}]\n`,
  );
  return { socket, path };
}

async function plugin(t: TestContext, { socket }: Place): Promise<KmsPlugin> {
  const started = await startKmsPlugin(socket);
  t.after(() => started.stop());
  return started;
}

/** The server closes its store, and the next one goes on with it. */
function lasting(): Store {
  const store = new MemoryStore({ clock: new ManualClock() });
  store.close = async () => {};
  return store;
}

async function start(t: TestContext, { path }: Place, store = lasting(), featureGates = {}) {
  const clock = new ManualClock();
  const server = await startTestServer(
    { controllers: '', encryptionProviderConfig: path, featureGates },
    { store: Promise.resolve(store), clock },
  );
  t.after(() => server.close());
  return { server, store, clock };
}

const secrets = '/api/v1/namespaces/default/secrets';
const create = (server: TestServer, name: string) =>
  server.request('POST', secrets, { metadata: { name }, stringData: { a: 'plain text' } });
const get = (server: TestServer, name: string) => server.request('GET', `${secrets}/${name}`);
const rewrite = async (server: TestServer, name: string): Promise<string> => {
  const { body } = await get(server, name);
  const answer = await server.request('PUT', `${secrets}/${name}`, body);
  return (answer.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
};
const text = async (server: TestServer, path: string): Promise<string> => {
  const headers = { authorization: `Bearer ${server.token}` };
  return (await server.fetch(new Request(`https://server${path}`, { headers }))).text();
};
const stored = async (store: Store, name: string): Promise<string> =>
  (await store.get(`/registry/secrets/default/${name}`))?.value.toString('latin1') ?? '';

describe('encryption with a KMS v2 plugin', () => {
  it('encryption with a KMS v2 plugin encrypts values under a seed that the plugin has encrypted once, and reads them without the plugin', async (t) => {
    const at = place(t);
    const kms = await plugin(t, at);
    kms.annotations = { 'version.example.com': Buffer.from('1') };
    const { server, store } = await start(t, at);
    for (const name of ['a', 'b']) assert.equal((await create(server, name)).status, 201);
    const value = await stored(store, 'a');
    assert.match(value, /^k8s:enc:kms:v2:mine:\x0a/);
    assert.match(value, /\x12\x05key-1\x1a.*version\.example\.com\x12\x011\(\x01$/s);
    assert.ok(!value.includes('plain'));
    assert.equal((await get(server, 'a')).status, 200);
    assert.deepEqual(kms.calls, { Status: 1, Encrypt: 1, Decrypt: 0 });
    assert.equal(await text(server, '/healthz/kms-providers'), 'ok');
    const metrics = await text(server, '/metrics');
    assert.match(
      metrics,
      /envelope_encryption_key_id_hash_total\{.*provider_name="mine",transformation_type="to_storage"\} 2/,
    );
    assert.match(metrics, /envelope_encryption_dek_source_cache_size\{provider_name="mine"\} 1/);
    assert.match(
      metrics,
      /kms_operations_latency_seconds_count\{grpc_status_code="OK",method_name="\/v2.KeyManagementService\/Encrypt"/,
    );
  });

  it('encryption with a KMS v2 plugin calls the plugin once, after a restart, for all values under one seed', async (t) => {
    const at = place(t);
    const kms = await plugin(t, at);
    const first = await start(t, at);
    for (const name of ['a', 'b', 'c']) await create(first.server, name);
    await first.server.close();
    const { server } = await start(t, at, first.store);
    const { body } = await server.request('GET', secrets);
    assert.deepEqual((body as { items: { data: unknown }[] }).items.map(({ data }) => data).length, 3);
    assert.deepEqual(kms.calls, { Status: 2, Encrypt: 2, Decrypt: 1 });
    assert.match(await text(server, '/metrics'), /envelope_transformation_cache_misses_total 1/);
  });

  it('encryption with a KMS v2 plugin uses a new seed after a key rotation, also for objects that an update writes', async (t) => {
    const at = place(t);
    const kms = await plugin(t, at);
    const { server, store, clock } = await start(t, at);
    await create(server, 'a');
    const before = await rewrite(server, 'a');
    assert.match(await stored(store, 'a'), /key-1/);
    kms.keyId = 'key-2';
    clock.advance(60_000);
    await until('the key is seen', async () => {
      await rewrite(server, 'a');
      return (await stored(store, 'a')).includes('key-2');
    });
    const after = await rewrite(server, 'a');
    assert.notEqual(after, before);
    assert.equal(await rewrite(server, 'a'), after, 'what is not stale is left alone');
    assert.equal(kms.calls.Encrypt, 2);
  });

  it('encryption with a KMS v2 plugin rejects writes when the plugin has been unavailable for minutes, and still reads', async (t) => {
    const at = place(t);
    const kms = await plugin(t, at);
    const { server, clock } = await start(t, at);
    await create(server, 'a');
    kms.healthz = 'sick';
    clock.advance(60_000);
    await until('the plugin is ill', async () => (await text(server, '/healthz/kms-providers')) !== 'ok');
    assert.equal(
      await text(server, '/healthz/kms-providers'),
      'internal server error: kms-provider-0: kmsv2 Provider mine is not healthy, error: got unexpected healthz status: sick\n',
    );
    assert.match(await text(server, '/livez?verbose'), /livez check passed/);
    // Ill as it is, its word that the key is still the same counts; one without a key does not.
    kms.keyId = '';
    clock.advance(181_000);
    const refused = await create(server, 'b');
    assert.equal(refused.status, 500);
    assert.match(
      (refused.body as { message: string }).message,
      /^Internal error occurred: encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at 20\S+Z \(current time is 20\S+Z\)$/,
    );
    assert.equal((await get(server, 'a')).status, 200);
    await until('the empty key is counted', async () =>
      /invalid_key_id_from_status_total\{error="empty",provider_name="mine"\} [1-9]/.test(
        await text(server, '/metrics'),
      ),
    );
  });

  it('encryption with a KMS v2 plugin starts without an available plugin, and recovers when it is available', async (t) => {
    const at = place(t, { timeout: '200ms' });
    const kms = await plugin(t, at);
    const first = await start(t, at);
    await create(first.server, 'a');
    await first.server.close();
    await kms.stop();
    rmSync(at.socket, { force: true });
    const { server, clock } = await start(t, at, first.store);
    const nothing = 'got unexpected nil transformer';
    for (const answer of [await get(server, 'a'), await create(server, 'b')]) {
      const { message } = answer.body as { message: string };
      assert.deepEqual([answer.status, message], [500, `Internal error occurred: ${nothing}`]);
    }
    assert.match(await text(server, '/healthz/kms-providers'), /rpc error: code = DeadlineExceeded/);
    const again = await text(server, '/healthz/kms-providers');
    assert.match(again, /^internal server error: kms-provider-0: rpc error: code = DeadlineExceeded/);
    assert.match(await text(server, '/readyz'), /\[-\]kms-providers failed/);
    assert.equal((await server.request('GET', '/api/v1/namespaces/default/configmaps')).status, 200);
    await plugin(t, at);
    await until('the value is readable', async () => {
      clock.advance(10_000);
      return (await get(server, 'a')).status === 200;
    });
    assert.equal((await create(server, 'b')).status, 201);
    assert.equal((await server.request('GET', `${secrets}?resourceVersion=0`)).status, 200);
  });

  it('encryption with a KMS v2 plugin reports the error of a plugin that cannot decrypt a seed', async (t) => {
    const at = place(t);
    const kms = await plugin(t, at);
    const first = await start(t, at);
    await create(first.server, 'a');
    await first.server.close();
    kms.keyId = 'key-2';
    kms.lost.add('key-1');
    const { server } = await start(t, at, first.store);
    const why = 'failed to decrypt DEK, error: rpc error: code = Internal desc = key key-1 is lost';
    assert.deepEqual((await get(server, 'a')).body, {
      ...((await get(server, 'a')).body as object),
      message: `Internal error occurred: ${why}`,
    });
  });
});

describe('encryption with a KMS v1 plugin', () => {
  const v1 = { KMSv1: true };

  it('encryption with a KMS v1 plugin is rejected while its gate is off', async (t) => {
    await assert.rejects(start(t, place(t, { version: 'v1' })), {
      message:
        'error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. ' +
        'Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
    });
  });

  it('encryption with a KMS v1 plugin encrypts each value under its own key, which the plugin has encrypted, and decrypts the key once', async (t) => {
    const at = place(t, { version: 'v1' });
    const kms = await plugin(t, at);
    const { server, store } = await start(t, at, lasting(), v1);
    for (const name of ['a', 'b']) assert.equal((await create(server, name)).status, 201);
    assert.deepEqual(kms.v1Calls, { Version: 1, Encrypt: 2, Decrypt: 0 });
    // 6 bytes name the key, then come a nonce of 12 bytes, the 32 bytes of the sealed key and its tag of 16.
    assert.match(await stored(store, 'a'), /^k8s:enc:kms:v1:mine:\x00\x42key-1:/);
    assert.ok(!(await stored(store, 'a')).includes('plain'));
    assert.equal(await text(server, '/healthz/kms-provider-0'), 'ok');
    const metrics = await text(server, '/metrics');
    assert.match(metrics, /^apiserver_storage_data_key_generation_duration_seconds_count 2$/m);
    assert.match(metrics, /^apiserver_storage_data_key_generation_failures_total 0$/m);
    assert.match(metrics, /^apiserver_envelope_encryption_dek_cache_fill_percent 0\.002$/m);
    await server.close();
    const again = await start(t, at, store, v1);
    for (const name of ['a', 'b', 'a']) assert.equal((await get(again.server, name)).status, 200);
    assert.deepEqual(kms.v1Calls, { Version: 2, Encrypt: 3, Decrypt: 3 });
    assert.match(await text(again.server, '/metrics'), /envelope_transformation_cache_misses_total 2/);
  });

  it('encryption with a KMS v1 plugin reports why a value cannot be read or written', async (t) => {
    const at = place(t, { version: 'v1' });
    const kms = await plugin(t, at);
    const first = await start(t, at, lasting(), v1);
    await create(first.server, 'a');
    await first.server.close();
    kms.lost.add('key-1');
    const { server } = await start(t, at, first.store, v1);
    const why = 'rpc error: code = Internal desc = key key-1 is lost';
    const message = async (answer: Promise<{ body: unknown }>) => ((await answer).body as { message: string }).message;
    assert.equal(await message(get(server, 'a')), `Internal error occurred: ${why}`);
    assert.match(await text(server, '/healthz?verbose'), /\[-\]kms-provider-0 failed/);
    kms.v1Version = 'v2';
    const other = await start(t, at, lasting(), v1);
    assert.equal(
      await message(create(other.server, 'b')),
      'Internal error occurred: KMS provider api version v2 is not supported, only v1beta1 is supported',
    );
  });
});
