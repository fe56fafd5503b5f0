// An etcd of several members, and several etcds: whichever member goes, servers go on with the others; resources that are
// kept elsewhere are there and nowhere else.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd, startEtcdCluster } from './etcd-process.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const program = findEtcd();
const skip = program === undefined ? NO_ETCD : false;

const healthz = async (server: TestServer, path: string): Promise<string> => {
  const headers = { authorization: `Bearer ${server.token}` };
  return (await server.fetch(new Request(`https://server${path}`, { headers }))).text();
};

describe('an etcd cluster of three members', { skip, timeout: 120_000 }, () => {
  let members: EtcdProcess[] = [];
  let server: TestServer;

  before(async () => {
    members = await startEtcdCluster(program ?? '', 3);
    server = await startTestServer({ etcdServers: members.map(({ url }) => url), controllers: '' });
  });
  after(async () => {
    await server?.close();
    for (const member of members) await member.stop();
  });

  it('an etcd cluster of three members serves writes, reads and watches with any member missing', async () => {
    const { body } = await server.request('GET', CONFIG_MAPS);
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    const headers = { authorization: `Bearer ${server.token}` };
    const url = `https://server${CONFIG_MAPS}?watch=1&resourceVersion=${resourceVersion}`;
    const reader = (await server.fetch(new Request(url, { headers })))
      .body!.pipeThrough(new TextDecoderStream())
      .getReader();
    let seen = '';
    const reading = (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        seen += value;
      }
    })();
    const expected: string[] = [];
    for (const [index, member] of members.entries()) {
      await member.end('SIGKILL');
      const name = `without-${index}`;
      await until(`a write without member ${index}`, async () => {
        const { status } = await server.request('POST', CONFIG_MAPS, { metadata: { name } });
        // The first answer may have been lost with the member.
        return status === 201 || status === 409;
      });
      expected.push(name);
      assert.equal((await server.request('GET', `${CONFIG_MAPS}/${name}`)).status, 200);
      await member.restart('SIGKILL');
    }
    const names = () => [...seen.matchAll(/"type":"ADDED".*?"name":"(without-\d)"/g)].map(([, name]) => name);
    await until('all events', () => names().length >= expected.length);
    assert.deepEqual(names(), expected);
    await reader.cancel();
    await reading;
    assert.equal(await healthz(server, '/healthz/etcd'), 'ok');
  });
});

describe('resources with etcd servers of their own (--etcd-servers-overrides)', { skip, timeout: 120_000 }, () => {
  it('resources with etcd servers of their own (--etcd-servers-overrides) are written, read and watched there, with a health check for each set of servers', async () => {
    const [main, own] = [await startEtcd({ program: program ?? '' }), await startEtcd({ program: program ?? '' })];
    try {
      const overrides = [`/configmaps#${own.url}`, `coordination.k8s.io/leases#${own.url}`];
      const options = { etcdServers: [main.url], etcdServersOverrides: overrides, controllers: '' };
      {
        await using server = await startTestServer(options);
        assert.equal((await server.request('POST', CONFIG_MAPS, { metadata: { name: 'there' } })).status, 201);
        const secrets = '/api/v1/namespaces/default/secrets';
        assert.equal((await server.request('POST', secrets, { metadata: { name: 'here' } })).status, 201);
        assert.equal((await server.request('GET', `${CONFIG_MAPS}/there`)).status, 200);
        assert.match(
          await healthz(server, '/readyz?verbose'),
          /\[\+\]etcd-override-0 ok.*\[\+\]etcd-override-readiness-0 ok/s,
        );
        assert.doesNotMatch(await healthz(server, '/readyz?verbose'), /etcd-override-1/);
      }
      await using elsewhere = await startTestServer({ etcdServers: [own.url], controllers: '' });
      assert.equal((await elsewhere.request('GET', `${CONFIG_MAPS}/there`)).status, 200);
      assert.equal((await elsewhere.request('GET', '/api/v1/namespaces/default/secrets/here')).status, 404);
    } finally {
      await main.stop();
      await own.stop();
    }
  });
});
