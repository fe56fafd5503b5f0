import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../../testing.ts';

const ROOT = '/apis/metrics.k8s.io/v1beta1';
const APISERVICE = '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io';

async function startMeasured(): Promise<TestServer> {
  const server = await startTestServer({ nodes: 2 });
  const resources = { requests: { cpu: '200m', memory: '100Mi' } };
  const annotations = { 'keelson.dev/cpu-usage': '300m' };
  for (const [name, more] of [
    ['b', {}],
    ['a', { annotations, labels: { app: 'a' } }],
  ] as const) {
    await server.request('POST', '/api/v1/namespaces/default/pods', {
      metadata: { name, ...more },
      spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'i', resources }] },
    });
  }
  await server.request('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'never' },
    spec: { nodeSelector: { no: 'node' }, containers: [{ name: 'c', image: 'i' }] },
  });
  await server.cluster.settled();
  return server;
}

interface Measured {
  readonly metadata: { readonly name: string };
  readonly usage?: object;
  readonly containers?: readonly object[];
}

async function items(server: TestServer, path: string): Promise<Measured[]> {
  const { status, body } = await server.request('GET', `${ROOT}${path}`);
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { items: Measured[] }).items;
}

test('the metrics API of a simulated cluster lists what running pods use', async () => {
  await using server = await startMeasured();
  const pods = await items(server, '/pods');
  assert.deepEqual(
    pods.map(({ metadata, containers }) => [metadata.name, containers]),
    [
      ['a', [{ name: 'c', usage: { cpu: '300m', memory: '60Mi' } }]],
      ['b', [{ name: 'c', usage: { cpu: '100m', memory: '60Mi' } }]],
    ],
  );
  const selected = await items(server, '/namespaces/default/pods?labelSelector=app%3Da');
  assert.deepEqual(
    selected.map(({ metadata }) => metadata.name),
    ['a'],
  );
  assert.deepEqual(await items(server, '/namespaces/other/pods'), []);
});

test('the metrics API of a simulated cluster adds up the pods of each node', async () => {
  await using server = await startMeasured();
  const nodes = await items(server, '/nodes');
  assert.deepEqual(
    nodes.map(({ metadata, usage }) => [metadata.name, usage]),
    [
      ['node-1', { cpu: '450m', memory: '632Mi' }],
      ['node-2', { cpu: '50m', memory: '512Mi' }],
    ],
  );
  const { body } = await server.request('GET', `${ROOT}/nodes/node-2`);
  assert.equal((body as { kind: string }).kind, 'NodeMetrics');
});

test('the metrics API of a simulated cluster rejects unknown resources and paths', async () => {
  await using server = await startMeasured();
  const answers = await Promise.all(
    [
      ['GET', '/namespaces/default/pods/never'],
      ['GET', '/pods?labelSelector=a,,b'],
      ['GET', '/pods?fieldSelector=spec.nodeName%3Dx'],
      ['GET', '/namespaces'],
      ['POST', '/nodes'],
    ].map(([method = '', path = '']) => server.request(method, `${ROOT}${path}`)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 400, 400, 404, 405],
  );
  const { message } = answers[0]!.body as { message: string };
  assert.equal(message, 'podmetrics.metrics.k8s.io "default/never" not found');
});

test('users with the role view may read the metrics of a simulated cluster', async () => {
  await using server = await startMeasured();
  const { body } = await server.request('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/view');
  const { rules } = body as { rules: { apiGroups: string[] }[] };
  assert.ok(rules.some(({ apiGroups }) => apiGroups.includes('metrics.k8s.io')));
});

test('the metrics API does not exist without its controller, or without nodes', async () => {
  await using without = await startTestServer({ nodes: 1, controllers: '*,-metrics-server' });
  assert.equal((await without.request('GET', APISERVICE)).status, 404);
  await using plain = await startTestServer({});
  assert.equal((await plain.request('GET', APISERVICE)).status, 404);
});
