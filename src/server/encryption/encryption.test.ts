import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../test/until.ts';
import { type Clock, ManualClock } from '../../base/clock.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import type { Store } from '../../store/store.ts';
import { startTestServer, type TestServer } from '../../testing.ts';
import { systemClock } from '../system-clock.ts';

const secret = (text: string): string => Buffer.from(text.padEnd(32, '.')).toString('base64');
const HEAD = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n';
const rule = (resources: string, providers: string): string =>
  `- resources: [${resources}]\n  providers: [${providers}]\n`;
const config = (...rules: string[]): string => `${HEAD}resources:\n${rules.join('')}`;
const aesgcm = (name: string, text: string): string => `{aesgcm: {keys: [{name: ${name}, secret: ${secret(text)}}]}}`;

function file(t: TestContext, text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'encryption-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'encryption.yaml');
  writeFileSync(path, text);
  return path;
}

interface Setup {
  readonly path: string | undefined;
  readonly store: Store;
  readonly clock?: Clock;
}

async function start(t: TestContext, { path, store, clock }: Setup): Promise<TestServer> {
  const reload = clock !== undefined;
  const server = await startTestServer(
    { controllers: '', encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: reload },
    { store: Promise.resolve(store), ...(clock && { clock }) },
  );
  t.after(() => server.close());
  return server;
}

/** The server closes its store, and the next one goes on with it. */
function lasting(): Store {
  const store = new MemoryStore({ clock: new ManualClock() });
  store.close = async () => {};
  return store;
}

const secrets = '/api/v1/namespaces/default/secrets';
const create = (server: TestServer, name: string) =>
  server.request('POST', secrets, { metadata: { name }, stringData: { a: 'plain text' } });
const metricsOf = async (server: TestServer): Promise<string> => {
  const headers = { authorization: `Bearer ${server.token}` };
  return (await server.fetch(new Request('https://server/metrics', { headers }))).text();
};

async function prefixAt(store: Store, key: string): Promise<string> {
  const value = (await store.get(key))?.value.toString('latin1') ?? '';
  return /^k8s:enc:[^:]*:v1:[^:]*:/.exec(value)?.[0] ?? value.slice(0, 8);
}

async function failure(t: TestContext, text: string): Promise<string> {
  const path = file(t, text);
  const error = await start(t, { path, store: lasting() }).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return (error?.message ?? 'started').replaceAll(path, 'FILE');
}

describe('encryption at rest', () => {
  it('encryption at rest encrypts the resources that its rules name, and returns them decrypted', async (t) => {
    const store = lasting();
    const text = config(rule('secrets', `${aesgcm('one', '1')}, {identity: {}}`), rule("'*.'", aesgcm('core', '2')));
    const server = await start(t, { path: file(t, text), store });
    assert.equal((await create(server, 'a')).status, 201);
    assert.equal(await prefixAt(store, '/registry/secrets/default/a'), 'k8s:enc:aesgcm:v1:one:');
    assert.equal(await prefixAt(store, '/registry/namespaces/default'), 'k8s:enc:aesgcm:v1:core:');
    assert.equal(await prefixAt(store, '/registry/priorityclasses/system-node-critical'), '{"kind":');
    const { data } = (await server.request('GET', `${secrets}/a`)).body as { data: { a: string } };
    assert.equal(Buffer.from(data.a, 'base64').toString(), 'plain text');
    for await (const { value } of (await store.list('/registry/secrets/')).entries) {
      assert.ok(!value.includes('plain') && !value.includes(Buffer.from('plain text').toString('base64')));
    }
    const metrics = await metricsOf(server);
    assert.match(
      metrics,
      /apiserver_storage_transformation_operations_total\{resource="secrets",status="OK",transformation_type="to_storage",transformer_prefix="one:"\} 1/,
    );
    assert.match(metrics, /last_config_info\{apiserver_id_hash="sha256:[0-9a-f]{64}",hash="sha256:[0-9a-f]{64}"\} 1/);
  });

  it('encryption at rest encrypts with a new key whatever an update writes, even without a change', async (t) => {
    const store = lasting();
    const first = await start(t, { path: file(t, config(rule('secrets', aesgcm('one', '1')))), store });
    await create(first, 'a');
    await first.close();
    const rotated = config(rule('secrets', `${aesgcm('two', '2')}, ${aesgcm('one', '1')}`));
    const server = await start(t, { path: file(t, rotated), store });
    const put = async (): Promise<string> => {
      const { body: object } = await server.request('GET', `${secrets}/a`);
      const { status, body } = await server.request('PUT', `${secrets}/a`, object);
      assert.equal(status, 200);
      return (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    };
    assert.equal(await prefixAt(store, '/registry/secrets/default/a'), 'k8s:enc:aesgcm:v1:one:');
    const version = await put();
    assert.equal(await prefixAt(store, '/registry/secrets/default/a'), 'k8s:enc:aesgcm:v1:two:');
    assert.equal(await put(), version, 'what is not stale is left alone');
  });

  it('encryption at rest reloads its configuration soon after the file was replaced', async (t) => {
    const path = file(t, config(rule('secrets', aesgcm('one', '1'))));
    const store = lasting();
    const server = await start(t, { path, store, clock: systemClock });
    const next = `${path}.next`;
    writeFileSync(next, config(rule('secrets', `${aesgcm('two', '2')}, ${aesgcm('one', '1')}`)));
    renameSync(next, path);
    await until('it has been loaded', async () => /status="success"\} 1/.test(await metricsOf(server)));
    await create(server, 'a');
    assert.equal(await prefixAt(store, '/registry/secrets/default/a'), 'k8s:enc:aesgcm:v1:two:');
  });

  it('encryption at rest reloads its configuration when that changes, and keeps the old one if it is invalid', async (t) => {
    const store = lasting();
    const clock = new ManualClock();
    const path = file(t, config(rule('secrets', aesgcm('one', '1'))));
    const server = await start(t, { path, store, clock });
    const poll = async (text: string, status: string): Promise<void> => {
      writeFileSync(path, text);
      clock.advance(60_000);
      const counted = `automatic_reloads_total{apiserver_id_hash="[^"]*",status="${status}"} 1`;
      await until(status, async () => {
        // Once more, to see that it is whole.
        clock.advance(1_000);
        return new RegExp(counted.replace('{', '\\{').replace('}', '\\}')).test(await metricsOf(server));
      });
    };
    await poll('kind: nonsense', 'failure');
    await create(server, 'a');
    assert.equal(await prefixAt(store, '/registry/secrets/default/a'), 'k8s:enc:aesgcm:v1:one:');
    await poll(config(rule('secrets', `${aesgcm('two', '2')}, ${aesgcm('one', '1')}`)), 'success');
    await create(server, 'b');
    assert.equal(await prefixAt(store, '/registry/secrets/default/b'), 'k8s:enc:aesgcm:v1:two:');
    const healthz = await server.fetch(
      new Request('https://server/healthz/kms-providers', { headers: { authorization: `Bearer ${server.token}` } }),
    );
    assert.equal(healthz.status, 200);
  });
});

describe('objects whose encryption key is lost', () => {
  it('objects whose encryption key is lost cannot be read after a reload without the key, until it is there again', async (t) => {
    const clock = new ManualClock();
    const [one, two] = [aesgcm('one', '1'), aesgcm('two', '2')];
    const path = file(t, config(rule('secrets', one)));
    const server = await start(t, { path, store: lasting(), clock });
    for (const name of ['a', 'b']) await create(server, name);
    const load = (text: string, expected: number, place: string) => {
      writeFileSync(path, text);
      return until(`${place} is ${expected}`, async () => {
        clock.advance(60_000);
        return (await server.request('GET', place)).status === expected;
      });
    };
    await load(config(rule('secrets', two)), 500, `${secrets}/a`);
    const { body } = await server.request('GET', `${secrets}/a`);
    assert.match((body as { message: string }).message, /^Internal error occurred: no matching key was found/);
    assert.equal((await server.request('GET', secrets)).status, 500);
    assert.equal((await server.request('GET', `${secrets}/a?resourceVersion=0`)).status, 200);
    assert.equal((await create(server, 'c')).status, 201);
    assert.equal((await server.request('GET', `${secrets}/c`)).status, 200);
    await load(config(rule('secrets', `${two}, ${one}`)), 200, `${secrets}/a`);
    assert.equal((await server.request('GET', secrets)).status, 200);
  });

  const lost = async (t: TestContext, text: string | undefined): Promise<TestServer> => {
    const store = lasting();
    const first = await start(t, { path: file(t, config(rule('secrets', aesgcm('one', '1')))), store });
    for (const name of ['a', 'b']) assert.equal((await create(first, name)).status, 201);
    await first.close();
    return start(t, { path: text && file(t, text), store });
  };
  const answer = async (server: TestServer, method: string, path: string): Promise<unknown[]> => {
    const { status, body } = await server.request(method, path);
    return [status, (body as { message?: string }).message];
  };

  it('objects whose encryption key is lost are 500 with a reason, and all others are served', async (t) => {
    const server = await lost(t, config(rule('secrets', aesgcm('two', '2'))));
    const reason = 'no matching key was found for the provided AES transformer';
    assert.deepEqual(await answer(server, 'GET', `${secrets}/a`), [500, `Internal error occurred: ${reason}`]);
    assert.deepEqual(await answer(server, 'DELETE', `${secrets}/a`), [500, `Internal error occurred: ${reason}`]);
    const listed = `Internal error occurred: unable to transform key "/registry/secrets/default/a": ${reason}`;
    assert.deepEqual(await answer(server, 'GET', secrets), [500, listed]);
    assert.deepEqual(await answer(server, 'GET', `${secrets}?resourceVersion=0`), [500, listed]);
    assert.equal((await create(server, 'a')).status, 409);
    assert.equal((await create(server, 'c')).status, 201);
    assert.deepEqual(await answer(server, 'GET', `${secrets}/c`), [200, undefined]);
    assert.equal((await server.request('GET', '/api/v1/namespaces/kube-system/secrets')).status, 200);
    assert.equal((await server.request('GET', '/api/v1/namespaces/default/configmaps')).status, 200);
  });

  it('objects whose encryption key is lost are deleted by authorized users with the gate AllowUnsafeMalformedObjectDeletion', async (t) => {
    const store = lasting();
    const first = await start(t, { path: file(t, config(rule('secrets', aesgcm('one', '1')))), store });
    await create(first, 'a');
    await first.close();
    const server = await startTestServer(
      {
        controllers: '',
        featureGates: { AllowUnsafeMalformedObjectDeletion: true },
        encryptionProviderConfig: file(t, config(rule('secrets', aesgcm('two', '2')))),
      },
      { store: Promise.resolve(store) },
    );
    t.after(() => server.close());
    await create(server, 'b');
    const reason = 'no matching key was found for the provided AES transformer';
    const detail = `data from the storage is not transformable revision=0: ${reason}`;
    const corrupt = (key: string): string =>
      `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`;
    const failed = [500, `Internal error occurred: ${corrupt('/secrets/default/a')}`];
    assert.deepEqual(await answer(server, 'GET', `${secrets}/a`), failed);
    assert.deepEqual(await answer(server, 'DELETE', `${secrets}/a`), failed);
    const { status, body } = await server.request('GET', secrets);
    const { reason: why, details } = body as { reason: string; details: { kind: string; causes: { field: string }[] } };
    assert.deepEqual(
      [status, why, details.kind, details.causes.map(({ field }) => field)],
      [500, 'StorageReadError', 'secrets', ['/registry/secrets/default/a']],
    );
    const option = 'ignoreStoreReadErrorWithClusterBreakingPotential';
    const unsafe = (name: string, more = ''): Promise<unknown[]> =>
      answer(server, 'DELETE', `${secrets}/${name}?${option}=true${more}`);
    assert.deepEqual(await unsafe('b'), [
      422,
      `secrets "b" is invalid: ${option}: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option`,
    ]);
    assert.deepEqual(await unsafe('a', '&dryRun=All&propagationPolicy=Orphan'), [
      422,
      `DeleteOptions.meta.k8s.io "" is invalid: [${option}: Invalid value: true: cannot be set together with .dryRun, ` +
        `${option}: Invalid value: true: cannot be set together with .propagationPolicy]`,
    ]);
    assert.equal((await answer(server, 'DELETE', `${secrets}?${option}=true`))[0], 422);
    const done = await server.request('DELETE', `${secrets}/a?${option}=true`);
    assert.deepEqual([done.status, (done.body as { details: unknown }).details], [200, { name: 'a', kind: 'Secret' }]);
    assert.equal((await server.request('GET', `${secrets}/a`)).status, 404);
    assert.equal((await server.request('GET', secrets)).status, 200);
  });

  it('objects whose encryption key is lost are not taken as plain objects by a server without a configuration', async (t) => {
    const server = await lost(t, undefined);
    const reason = 'identity transformer tried to read encrypted data';
    assert.deepEqual(await answer(server, 'GET', `${secrets}/a`), [500, `Internal error occurred: ${reason}`]);
    assert.equal((await create(server, 'c')).status, 201);
  });
});

describe('an encryption configuration', () => {
  it('an encryption configuration is decoded strictly', async (t) => {
    const strict = `${HEAD}extra: 1\nresources:\n- resources: [secrets]\n  foo: 1\n  providers:\n  - aesgcm: {keys: [{name: one, other: 1}]}\n`;
    assert.equal(
      await failure(t, strict),
      'error while parsing file: error decoding encryption provider configuration file "FILE": strict decoding error: ' +
        'unknown field "extra", unknown field "resources[0].foo", unknown field "resources[0].providers[0].aesgcm.keys[0].other"',
    );
    assert.equal(
      await failure(t, `${HEAD}resources: 5\n`),
      'error while parsing file: error decoding encryption provider configuration file "FILE": json: cannot unmarshal ' +
        'number into Go struct field EncryptionConfiguration.resources of type []v1.ResourceConfiguration',
    );
    assert.equal(
      await failure(t, HEAD.replace('/v1', '/v2')),
      'error while parsing file: error decoding encryption provider configuration file "FILE": no kind ' +
        '"EncryptionConfiguration" is registered for version "apiserver.config.k8s.io/v2" in scheme "pkg/runtime/scheme.go:110"',
    );
    assert.equal(
      await failure(t, ''),
      'error while parsing file: error while loading file: encryption provider configuration file "FILE" is empty',
    );
  });

  it('an encryption configuration may have the kind that it had before it had a group', async (t) => {
    const text = `apiVersion: v1\nkind: EncryptionConfig\nresources:\n${rule('secrets', aesgcm('one', '1'))}`;
    assert.equal(await failure(t, text), 'started');
  });

  it('an encryption configuration that cannot be read is reported in the words of the decoder', async (t) => {
    const told = async (text: string) =>
      (await failure(t, text)).replace(
        'error while parsing file: error decoding encryption provider configuration file "FILE": ',
        '',
      );
    const unreadable = "couldn't get version/kind; json parse error: ";
    assert.equal(await told('a: b: c\n'), 'yaml: mapping values are not allowed in this context');
    assert.equal(await told('{'), `${unreadable}unexpected end of JSON input`);
    assert.equal(
      await told(HEAD.replace('/v1', '/v1/x')),
      'unexpected GroupVersion string: apiserver.config.k8s.io/v1/x',
    );
    assert.equal(
      await told('apiVersion: [x]\nkind: EncryptionConfiguration\n'),
      `${unreadable}json: cannot unmarshal array into Go struct field .apiVersion of type string`,
    );
    assert.equal(
      await told(config('- resources: [5]\n')),
      'json: cannot unmarshal number into Go struct field ResourceConfiguration.resources.resources of type string',
    );
    assert.equal(
      await told(
        '{"apiVersion":"apiserver.config.k8s.io/v1","kind":"EncryptionConfiguration","resources":[],"resources":[]}',
      ),
      'strict decoding error: duplicate field "resources"',
    );
    assert.equal(
      await failure(t, HEAD.replace('EncryptionConfiguration', 'TracingConfiguration')),
      'error while parsing file: got unexpected config type: apiserver.config.k8s.io/v1, Kind=TracingConfiguration',
    );
  });

  it('an encryption configuration is rejected with endpoints that are no URL, and with invalid timeouts', async (t) => {
    const kms = (more: string) => config(rule('secrets', `{kms: {apiVersion: v2, name: a, ${more}}}`));
    const at = 'error while parsing file: resources[0].providers[0].kms';
    assert.equal(
      await failure(t, kms('endpoint: "://"')),
      `${at}.endpoint: Invalid value: "://": invalid endpoint for kms provider, error: parse "://": missing protocol scheme`,
    );
    assert.equal(
      await failure(t, kms('endpoint: "unix:///x", timeout: -1s')),
      `${at}.timeout: Invalid value: "-1s": timeout should be a positive value`,
    );
    assert.match(await failure(t, kms('endpoint: "unix:///x", timeout: x')), /: time: invalid duration "x"$/);
  });

  it('an encryption configuration is rejected with every error and its path, and without keys', async (t) => {
    const text = config(
      rule(
        "secrets, '*', Foo, secrets",
        `{aesgcm: {keys: [{name: one, secret: aaa}, {secret: YWJj}, {name: x}]}, identity: {}}, {}, {aescbc: {keys: []}}`,
      ),
      '- {}\n',
    );
    const message = await failure(t, text);
    assert.ok(!message.includes('aaa') && !message.includes('YWJj'), message);
    const parts = message
      .replace('error while parsing file: [', '')
      .replace(/\]$/, '')
      .split(/, (?=resources\[)/);
    assert.deepEqual(
      parts.map((part) => part.replace(/Invalid value: \{.*\}: /, 'Invalid value: {}: ')),
      [
        'resources[0].resources: Invalid value: ["secrets","*","Foo","secrets"]: the same resource cannot be specified multiple times',
        `resources[0].resources: Invalid value: ["secrets","*","Foo","secrets"]: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked`,
        `resources[0].resources[1]: Invalid value: "*": use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources`,
        'resources[0].resources[2]: Invalid value: "Foo": resource name should not contain capital letters',
        'resources[0].providers[0]: Invalid value: {}: more than one provider specified in a single element, should split into different list elements',
        'resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
        'resources[0].providers[0].aesgcm.keys[1].name: Required value: name is a mandatory field for a key',
        'resources[0].providers[0].aesgcm.keys[1].secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of [16 24 32]',
        'resources[0].providers[0].aesgcm.keys[2].secret: Required value: secret is a mandatory field for a key',
        'resources[0].providers[1]: Invalid value: {}: provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity',
        'resources[0].providers[2].aescbc.keys: Required value: at least one keys is required',
        'resources[1].resources: Required value: at least one resources[1].resources is required',
        'resources[1].providers: Required value: at least one resources[1].providers is required',
      ],
    );
  });

  it('an encryption configuration may not hide a rule behind a wildcard', async (t) => {
    assert.equal(
      await failure(t, config(rule("'*.*'", '{identity: {}}'), rule('secrets', '{identity: {}}'))),
      'error while building transformers: resource "secrets" is masked by earlier rule "*.*"',
    );
    assert.equal(
      await failure(t, config(rule("'*.'", '{identity: {}}'), rule('secrets.', '{identity: {}}'))),
      'error while building transformers: resource "secrets" is masked by earlier rule "*."',
    );
  });
});
