// One KMS plugin, one etcd, and both programs: each reads what the other has encrypted, with seeds of its own.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { type KmsPlugin, startKmsPlugin } from '../kms-plugin.ts';
import { until } from '../until.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from './etcd-process.ts';
import { findKubeApiserver, type KubeApiserver, NO_KUBE_APISERVER, startKubeApiserver } from './kube-apiserver.ts';

const program = findEtcd();
const reference = findKubeApiserver();
const secrets = '/api/v1/namespaces/default/secrets';

interface Secret {
  readonly metadata: { readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

describe('KMS encryption with a shared etcd', {
  skip: program === undefined ? NO_ETCD : false,
  timeout: 120_000,
}, () => {
  let etcd: EtcdProcess;
  let plugin: KmsPlugin;
  let folder: string;
  let path: string;
  const servers: TestServer[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-kms-'));
    path = join(folder, 'encryption.yaml');
    const socket = join(folder, 'socket');
    const kms = `{apiVersion: v2, name: mine, endpoint: 'unix://${socket}'}`;
    writeFileSync(
      path,
      'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n' +
        `- resources: [secrets]\n  providers: [{kms: ${kms}}]\n`,
    );
    etcd = await startEtcd({ program: program ?? '' });
    plugin = await startKmsPlugin(socket);
    plugin.annotations = { 'version.example.com': Buffer.from('1') };
  });
  after(async () => {
    for (const server of servers) await server.close();
    await plugin?.stop();
    await etcd?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const keelson = async (): Promise<TestServer> => {
    const options = { etcdServers: [etcd.url], controllers: '', encryptionProviderConfig: path };
    const server = await startTestServer(options);
    servers.push(server);
    return server;
  };
  const secret = (name: string, text: string) => ({ metadata: { name }, stringData: { text } });
  const textOf = ({ data }: Secret) => Buffer.from(data?.['text'] ?? '', 'base64').toString();

  it('KMS encryption with a shared etcd is readable and watchable by servers with different seeds', async () => {
    const [one, other] = [await keelson(), await keelson()];
    assert.equal((await one.request('POST', secrets, secret('a', 'first'))).status, 201);
    const { body } = await other.request('GET', `${secrets}/a`);
    assert.equal(textOf(body as Secret), 'first');
    assert.equal(plugin.calls.Decrypt, 1);
    for (const server of [other, one, other]) {
      const current = (await server.request('GET', `${secrets}/a`)).body as Secret;
      const changed = await server.request('PUT', `${secrets}/a`, {
        ...current,
        ...secret('a', current.metadata.resourceVersion),
      });
      assert.equal(changed.status, 200);
    }
    const lists = [await one.request('GET', secrets), await other.request('GET', secrets)];
    assert.deepEqual(lists[0]!.body, lists[1]!.body);
    // Both seeds are open in both by now.
    assert.ok(plugin.calls.Decrypt <= 3, `${plugin.calls.Decrypt} calls`);
  });

  const beside = { skip: reference === undefined ? NO_KUBE_APISERVER : false };
  it(
    'KMS encryption with a shared etcd is readable by kube-apiserver and Keelson from each other, even after a key rotation',
    beside,
    async () => {
      const server = servers[0] ?? (await keelson());
      const kube: KubeApiserver = await startKubeApiserver(reference ?? '', etcd.url, [
        `--encryption-provider-config=${path}`,
      ]);
      try {
        assert.equal((await server.request('POST', secrets, secret('ours', 'by keelson'))).status, 201);
        assert.equal((await kube.ask('POST', secrets, secret('theirs', 'by kube-apiserver'))).status, 201);
        for (const name of ['a', 'ours', 'theirs']) {
          const here = await server.request('GET', `${secrets}/${name}`);
          const there = await kube.ask('GET', `${secrets}/${name}`);
          assert.equal(here.status, 200);
          assert.deepEqual(here.body, there.body, name);
        }
        plugin.keyId = 'key-2';
        const turned = await keelson();
        assert.equal((await turned.request('POST', secrets, secret('turned', 'under the next key'))).status, 201);
        const seen = await until('the new value', async () => {
          const { status, body } = await kube.ask('GET', `${secrets}/turned`);
          return status === 200 && (body as Secret);
        });
        assert.equal(textOf(seen), 'under the next key');
      } finally {
        await kube.stop();
      }
    },
  );

  it(
    'KMS encryption with a shared etcd in version 1 is readable from each other, each value under its own key',
    beside,
    async () => {
      const v1 = join(folder, 'v1.yaml');
      const v1Etcd = await startEtcd({ program: program ?? '' });
      writeFileSync(v1, readFileSync(path, 'utf8').replace('apiVersion: v2', 'apiVersion: v1'));
      const server = await startTestServer({
        etcdServers: [v1Etcd.url],
        controllers: '',
        encryptionProviderConfig: v1,
        featureGates: { KMSv1: true },
      });
      const flags = [`--encryption-provider-config=${v1}`, '--feature-gates=KMSv1=true'];
      const kube = await startKubeApiserver(reference ?? '', v1Etcd.url, flags);
      try {
        assert.equal((await server.request('POST', secrets, secret('ours', 'by keelson'))).status, 201);
        assert.equal((await kube.ask('POST', secrets, secret('theirs', 'by kube-apiserver'))).status, 201);
        for (const name of ['ours', 'theirs']) {
          const here = await server.request('GET', `${secrets}/${name}`);
          const there = await kube.ask('GET', `${secrets}/${name}`);
          assert.equal(here.status, 200);
          assert.deepEqual(here.body, there.body, name);
        }
        assert.ok(plugin.v1Calls.Decrypt >= 2);
      } finally {
        await kube.stop();
        await server.close();
        await v1Etcd.stop();
      }
    },
  );
});
