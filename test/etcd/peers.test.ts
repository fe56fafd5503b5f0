// Servers on one etcd that serve different resources: a request that one of them cannot serve reaches another.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeCertificates } from '../../src/server/pki.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { type EtcdProcess, findEtcd, freePort, NO_ETCD, startEtcd } from './etcd-process.ts';
import { realClock } from './real-clock.ts';

const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const JOB = {
  metadata: { name: 'a' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
};
const program = findEtcd();

describe('servers of one etcd with different resources', {
  skip: program === undefined ? NO_ETCD : false,
  timeout: 180_000,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-peers-'));
  let etcd: EtcdProcess;
  let all: TestServer;
  let third: TestServer;
  let without: TestServer;

  before(async () => {
    etcd = await startEtcd({ program: program ?? '' });
    const hosts = ['localhost', '127.0.0.1', 'kubernetes.default.svc'];
    const certificates = makeCertificates({ clock: realClock, hosts });
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const ca = file('ca.crt', certificates.caCertPem);
    const start = async (hostname: string, runtimeConfig: Record<string, string> = {}) => {
      const port = await freePort();
      return await startTestServer(
        {
          ...{ etcdServers: [etcd.url], controllers: '', listen: true, runtimeConfig },
          featureGates: { UnknownVersionInteroperabilityProxy: true },
          ...{ peerCaFile: ca, peerAdvertiseIp: '127.0.0.1', peerAdvertisePort: String(port), securePort: port },
          tlsCertFile: file('serving.crt', certificates.servingCertPem),
          tlsPrivateKeyFile: file('serving.key', certificates.servingKeyPem),
          proxyClientCertFile: file('proxy.crt', certificates.adminCertPem),
          proxyClientKeyFile: file('proxy.key', certificates.adminKeyPem),
          requestheaderClientCaFile: ca,
          requestheaderUsernameHeaders: ['X-Remote-User'],
          requestheaderGroupHeaders: ['X-Remote-Group'],
          requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
        },
        { hostname },
      );
    };
    all = await start('one');
    without = await start('two', { 'batch/v1': 'false' });
    third = await start('three');
  });
  after(async () => {
    for (const server of [without, third, all]) await server.close();
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const listed = async () => {
    const { status, body } = await without.request('GET', JOBS);
    return status === 200
      ? (body as { items: { metadata: { name: string } }[] }).items.map((job) => job.metadata.name)
      : status;
  };

  it('servers of one etcd with different resources serve the resources of all of them, as long as one of them serves each', async () => {
    assert.equal((await all.request('POST', JOBS, JOB)).status, 201);
    await until('a peer is known', async () => Array.isArray(await listed()));
    assert.deepEqual(await listed(), ['a']);
    await all.close();
    // The third one may have become known only now.
    await until('the other peer is asked', async () => Array.isArray(await listed()));
    assert.deepEqual(await listed(), ['a']);
    await third.close();
    assert.equal(await listed(), 503);
  });
});
