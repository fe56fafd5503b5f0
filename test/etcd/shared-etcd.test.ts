// Several servers on one etcd: whoever writes through one is seen by all, at once; and what happens when etcd goes.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from './etcd-process.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SERVICES = '/api/v1/namespaces/default/services';

interface AnyObject {
  metadata: { name: string; resourceVersion: string; continue?: string };
  data?: Record<string, string>;
  items?: AnyObject[];
  code?: number;
  message?: string;
  reason?: string;
  spec?: { clusterIP?: string; ports?: { nodePort?: number }[] };
}

const program = findEtcd();

describe('servers on one etcd', { skip: program === undefined ? NO_ETCD : false, timeout: 180_000 }, () => {
  let etcd: EtcdProcess;
  let servers: TestServer[] = [];
  const start = () => startTestServer({ etcdServers: [etcd.url], controllers: '' });

  before(async () => {
    etcd = await startEtcd({ program: program ?? '' });
    // At the same time, as on a first start of a cluster.
    servers = await Promise.all([start(), start()]);
  });
  after(async () => {
    for (const server of servers) await server.close();
    await etcd.stop();
  });

  const one = () => servers[0] as TestServer;
  const other = () => servers[1] as TestServer;
  const ask = async (server: TestServer, method: string, path: string, body?: unknown) => {
    const answer = await server.request(method, path, body);
    return { status: answer.status, body: answer.body as AnyObject };
  };
  const create = (server: TestServer, name: string, data: Record<string, string> = {}) =>
    ask(server, 'POST', CONFIG_MAPS, { metadata: { name }, data });

  it("servers on one etcd show each other's writes in reads at once", async () => {
    for (let round = 0; round < 20; round++) {
      const name = `seen-${round}`;
      assert.equal((await create(one(), name)).status, 201);
      assert.equal((await ask(other(), 'GET', `${CONFIG_MAPS}/${name}`)).status, 200);
      const { body } = await ask(other(), 'GET', CONFIG_MAPS);
      assert.ok(body.items?.some(({ metadata }) => metadata.name === name));
      assert.equal((await ask(other(), 'DELETE', `${CONFIG_MAPS}/${name}`)).status, 200);
      assert.equal((await ask(one(), 'GET', `${CONFIG_MAPS}/${name}`)).status, 404);
    }
  });

  it('servers on one etcd lose no update, and report the same history', async () => {
    await create(one(), 'count', { n: '0' });
    const histories = await Promise.all(servers.map((server) => follow(server)));
    const increment = async (server: TestServer) => {
      for (;;) {
        const { body: current } = await ask(server, 'GET', `${CONFIG_MAPS}/count`);
        const data = { n: String(Number(current.data?.['n']) + 1) };
        if ((await ask(server, 'PUT', `${CONFIG_MAPS}/count`, { ...current, data })).status === 200) return;
      }
    };
    await Promise.all(servers.flatMap((server) => [increment(server), increment(server), increment(server)]));
    assert.equal((await ask(other(), 'GET', `${CONFIG_MAPS}/count`)).body.data?.['n'], '6');
    await until('both watches are complete', () => histories.every(({ seen }) => seen.at(-1)?.startsWith('6 ')));
    assert.deepEqual(histories[0]?.seen, histories[1]?.seen);
    for (const history of histories) history.close();
  });

  /** What a watch of the counter tells: its value and version, event by event. */
  async function follow(server: TestServer) {
    const { body } = await ask(server, 'GET', CONFIG_MAPS);
    const path = `${CONFIG_MAPS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`;
    const closing = new AbortController();
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await server.fetch(new Request(`https://localhost${path}`, { headers, signal: closing.signal }));
    const seen: string[] = [];
    const read = async () => {
      let rest = '';
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + piece).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { object } = JSON.parse(line) as { object: AnyObject };
          if (object.metadata.name === 'count') seen.push(`${object.data?.['n']} ${object.metadata.resourceVersion}`);
        }
      }
    };
    read().catch(() => {});
    return { seen, close: () => closing.abort() };
  }

  it('servers on one etcd continue lists that another one began', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) await create(one(), name);
    const { body: first } = await ask(one(), 'GET', `${CONFIG_MAPS}?limit=1`);
    await create(other(), 'page-aa');
    const token = encodeURIComponent(first.metadata.continue ?? '');
    const { body: rest } = await ask(other(), 'GET', `${CONFIG_MAPS}?limit=500&continue=${token}`);
    assert.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion);
    const names = [...(first.items ?? []), ...(rest.items ?? [])].map(({ metadata }) => metadata.name);
    assert.ok(names.includes('page-c') && !names.includes('page-aa'));
  });

  it('servers on one etcd allocate each address and node port once', async () => {
    const service = (name: string, spec: object) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
    const fixed = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_100 }] };
    assert.equal((await ask(one(), 'POST', SERVICES, service('fixed-a', fixed))).status, 201);
    const refused = await ask(other(), 'POST', SERVICES, service('fixed-b', fixed));
    assert.equal(refused.status, 422);
    assert.match(refused.body.message ?? '', /30100: provided port is already allocated/);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask(servers[index % 2] as TestServer, 'POST', SERVICES, service(`any-${index}`, { type: 'NodePort' })),
      ),
    );
    const ports = made.map(({ body }) => body.spec?.ports?.[0]?.nodePort);
    const addresses = made.map(({ body }) => body.spec?.clusterIP);
    assert.deepEqual([new Set(ports).size, new Set(addresses).size], [20, 20]);
    assert.equal((await ask(one(), 'DELETE', `${SERVICES}/fixed-a`)).status, 200);
    assert.equal((await ask(other(), 'POST', SERVICES, service('fixed-b', fixed))).status, 201);
  });

  it('servers on one etcd serve custom resources of a CustomResourceDefinition created at another one', async () => {
    const definition = {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'widgets', kind: 'Widget' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    await ask(one(), 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    const path = '/apis/example.com/v1/namespaces/default/widgets';
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    await until('the other serves it', async () => (await ask(other(), 'GET', path)).status === 200);
    assert.equal((await ask(other(), 'POST', path, widget)).status, 201);
    assert.equal((await ask(one(), 'GET', `${path}/w`)).status, 200);
  });

  it('servers on one etcd serve reads from memory without etcd, answer others with 504, and recover', async () => {
    await create(one(), 'before');
    const history = await follow(other());
    await etcd.end('SIGKILL');
    await assertAway();
    await etcd.restart('SIGKILL');
    await until('a write succeeds', async () => (await create(one(), 'after')).status === 201);
    assert.equal((await ask(other(), 'GET', `${CONFIG_MAPS}/after`)).status, 200);
    const { body } = await ask(one(), 'GET', `${CONFIG_MAPS}/count`);
    await ask(one(), 'PUT', `${CONFIG_MAPS}/count`, { ...body, data: { n: 'back' } });
    await until('the watch goes on', () => history.seen.at(-1)?.startsWith('back ') === true);
    history.close();
  });

  async function assertAway(): Promise<void> {
    const cached = await ask(one(), 'GET', `${CONFIG_MAPS}?resourceVersion=0`);
    assert.ok(cached.body.items?.some(({ metadata }) => metadata.name === 'before'));
    const read = await ask(one(), 'GET', `${CONFIG_MAPS}/before?timeout=1s`);
    assert.deepEqual([read.status, read.body.reason], [504, 'Timeout']);
    const write = await ask(one(), 'POST', `${CONFIG_MAPS}?timeout=1s`, { metadata: { name: 'lost' } });
    assert.deepEqual([write.status, write.body.reason], [504, 'Timeout']);
  }
});
