import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

async function create(server: TestServer, path: string, body: object): Promise<void> {
  const { status } = await server.request('POST', path, body);
  assert.equal(status, 201);
}

const configMap = (name: string) => ({ metadata: { name } });

async function names(server: TestServer, path = CONFIG_MAPS): Promise<string[]> {
  const { body } = await server.request('GET', path);
  const { items } = body as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
}

async function version(server: TestServer): Promise<number> {
  const { body } = await server.request('GET', CONFIG_MAPS);
  return Number((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
}

const quiet = { controllers: '' };

test('a rewind restores a test server to its snapshot', async () => {
  await using server = await startTestServer(quiet);
  await create(server, CONFIG_MAPS, configMap('kept'));
  const snapshot = server.snapshot();
  await server.request('DELETE', `${CONFIG_MAPS}/kept`);
  await create(server, CONFIG_MAPS, configMap('added'));
  await server.rewind(snapshot);
  assert.deepEqual(await names(server), ['kept']);
  await create(server, CONFIG_MAPS, configMap('added'));
  await server.rewind(snapshot);
  assert.deepEqual(await names(server), ['kept'], 'as often as one likes');
});

test('a rewind ends watches, and a watch from a later resourceVersion gets 410', async () => {
  await using server = await startTestServer(quiet);
  const snapshot = server.snapshot();
  await create(server, CONFIG_MAPS, configMap('a'));
  const before = await version(server);
  const headers = { authorization: `Bearer ${server.token}` };
  const watch = (after: number) =>
    server.fetch(new Request(`https://x${CONFIG_MAPS}?watch=true&resourceVersion=${after}`, { headers }));
  const open = await watch(before);
  await server.rewind(snapshot);
  assert.equal(await open.text(), '');
  assert.ok((await version(server)) > before, 'versions go on rising');
  const late = JSON.parse(await (await watch(before)).text());
  assert.deepEqual([late.type, late.object.code, late.object.reason], ['ERROR', 410, 'Expired']);
});

test('a rewind restores allocated addresses, custom resources and permissions', async () => {
  await using server = await startTestServer(quiet);
  const snapshot = server.snapshot();
  const service = { metadata: { name: 's' }, spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] } };
  const definition = {
    metadata: { name: 'as.x.example' },
    spec: {
      ...{ group: 'x.example', scope: 'Cluster', names: { plural: 'as', kind: 'A' } },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  for (let round = 0; round < 2; round++) {
    await create(server, '/api/v1/namespaces/default/services', service);
    await create(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    await server.rewind(snapshot);
    assert.equal((await server.request('GET', '/apis/x.example/v1/as')).status, 404);
  }
});

test('clients of a test server keep their address, certificate and token after a rewind', async () => {
  await using server = await startTestServer({ ...quiet, listen: true });
  const [url, kubeconfig] = [server.url, server.kubeconfigText];
  const path = '/api/v1/namespaces/default/serviceaccounts';
  await create(server, path, { metadata: { name: 'robot' } });
  const { body } = await server.request('POST', `${path}/robot/token`, { spec: {} });
  const { token } = (body as { status: { token: string } }).status;
  await server.rewind(server.snapshot());
  assert.deepEqual([server.url, server.kubeconfigText], [url, kubeconfig]);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await server.fetch(new Request(`${url}/api`, { headers }))).status, 200);
});

test('a test server starts from the snapshot of another one, and is independent of it', async () => {
  await using first = await startTestServer(quiet);
  await create(first, CONFIG_MAPS, configMap('shared'));
  await using second = await startTestServer({ ...quiet, from: first.snapshot() });
  await create(second, CONFIG_MAPS, configMap('own'));
  assert.deepEqual(await names(second), ['own', 'shared']);
  assert.deepEqual(await names(first), ['shared']);
});

test('advance() expires events and tokens of a test server', async () => {
  await using server = await startTestServer();
  const path = '/api/v1/namespaces/default/serviceaccounts';
  await create(server, path, { metadata: { name: 'robot' } });
  const { body } = await server.request('POST', `${path}/robot/token`, { spec: { expirationSeconds: 600 } });
  const { token } = (body as { status: { token: string } }).status;
  const asRobot = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (await server.fetch(new Request('https://x/api', { headers }))).status;
  };
  assert.equal(await asRobot(), 200);
  server.clock?.advance('20m');
  assert.equal(await asRobot(), 401);
});

test('unknown options of a test server are rejected', async () => {
  const wrong = { nope: 1 } as object;
  await assert.rejects(startTestServer(wrong), /there is no option nope/);
});

test('only a test server in memory has snapshots', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keelson-testing-'));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  await using server = await startTestServer({ ...quiet, store: 'embedded', dataDir });
  assert.throws(() => server.snapshot(), /only a server that keeps its objects in memory/);
});

test('a test server without listen has no address, and says how to get one', async () => {
  await using server = await startTestServer(quiet);
  assert.throws(() => server.url, /the test server has no address: start it with listen: true/);
  assert.throws(() => server.kubeconfigText, /listen: true/);
});

test('a closed test server rejects requests, rewinds and snapshots', async () => {
  const server = await startTestServer(quiet);
  const snapshot = server.snapshot();
  await server.close();
  await assert.rejects(server.request('GET', '/version'), /the test server is closed/);
  await assert.rejects(server.rewind(snapshot), /the test server is closed/);
  assert.throws(() => server.snapshot(), /the test server is closed/);
});

test('every use of a closed test server is an error', async () => {
  const server = await startTestServer(quiet);
  await server.close();
  const uses = [
    () => server.clock,
    () => server.faults.add({ verb: 'get', answer: 409 }),
    () => server.requests.list({}),
    () => server.cluster,
    () => server.history({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'a', name: 'b' } }),
  ];
  for (const use of uses) assert.throws(use, /the test server is closed/);
  await server.close();
});

test('a request of a test server names a path that begins with a slash', async () => {
  await using server = await startTestServer(quiet);
  await assert.rejects(server.request('GET', 'api/v1/pods'), /a path begins with a slash, got "api\/v1\/pods"/);
});
