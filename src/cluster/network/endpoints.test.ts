import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../../test/pod-runner.ts';
import type { Endpoints } from '../../resources/builtin/core/endpoints/objects.ts';
import type { EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const SERVICES = '/api/v1/namespaces/default/services';
const SLICES =
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name=web';

async function start(spec: object = {}): Promise<TestServer> {
  const server = await startTestServer({ controllers: '*,endpoints-controller,endpointslice-controller' });
  const labels = { 'topology.kubernetes.io/zone': 'a' };
  await server.request('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels } });
  const ports = [{ name: 'http', port: 80, targetPort: 'web' }];
  const service = { selector: { app: 'web' }, ports, ...spec };
  await server.request('POST', SERVICES, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: service,
  });
  return server;
}

/** A pod that runs, and is ready or not. */
async function addPod(server: TestServer, name: string, ready: boolean): Promise<void> {
  const containers = [{ name: 'web', image: 'nginx', ports: [{ name: 'web', containerPort: 8080 }] }];
  const metadata = { name, labels: { app: 'web' } };
  await server.request('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'n1', containers } });
  const podIP = `10.1.0.${name.slice(1)}`;
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions };
  const answer = await server.patch(`${PODS}/${name}/status`, { status });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

async function slices(server: TestServer): Promise<EndpointSlice[]> {
  await server.cluster.settled();
  return items<EndpointSlice>(server, SLICES);
}

test('an EndpointSlice has the addresses of the pods of a service, with the port that they name', async () => {
  await using server = await start();
  await addPod(server, 'p1', true);
  await addPod(server, 'p2', false);
  const [slice] = await slices(server);
  assert.deepEqual(slice?.ports, [{ name: 'http', protocol: 'TCP', port: 8080 }]);
  const found = (slice?.endpoints ?? []).map(({ addresses, conditions, nodeName, zone, targetRef }) => [
    ...[addresses?.[0], conditions?.ready, nodeName, zone, targetRef?.name],
  ]);
  assert.deepEqual(found.sort(), [
    ['10.1.0.1', true, 'n1', 'a', 'p1'],
    ['10.1.0.2', false, 'n1', 'a', 'p2'],
  ]);
  const labels = slice?.metadata.labels ?? {};
  assert.equal(labels['endpointslice.kubernetes.io/managed-by'], 'endpointslice-controller.k8s.io');
});

test('a service without pods has one empty EndpointSlice', async () => {
  await using server = await start();
  const found = await slices(server);
  assert.deepEqual(
    found.map(({ endpoints, ports }) => [endpoints, ports]),
    [[null, null]],
  );
  await addPod(server, 'p1', true);
  const filled = await slices(server);
  assert.deepEqual(
    filled.map(({ metadata }) => metadata.name),
    found.map(({ metadata }) => metadata.name),
  );
});

test('Endpoints tell ready addresses apart from others, and lose those of pods that are gone', async () => {
  await using server = await start();
  await addPod(server, 'p1', true);
  await addPod(server, 'p2', false);
  await server.cluster.settled();
  const read = async () =>
    ((await server.request('GET', '/api/v1/namespaces/default/endpoints/web')).body as Endpoints).subsets ?? [];
  const ips = (list: readonly { ip?: string }[] | null | undefined) => list?.map(({ ip }) => ip);
  const [before] = await read();
  assert.deepEqual([ips(before?.addresses), ips(before?.notReadyAddresses)], [['10.1.0.1'], ['10.1.0.2']]);
  await server.request('DELETE', `${PODS}/p1?gracePeriodSeconds=0`);
  await server.cluster.settled();
  const [after] = await read();
  assert.deepEqual([ips(after?.addresses), ips(after?.notReadyAddresses)], [undefined, ['10.1.0.2']]);
});

test('no EndpointSlice has more than a hundred endpoints', async () => {
  await using server = await start();
  for (let number = 1; number <= 130; number++) await addPod(server, `p${number}`, true);
  const sizes = (await slices(server)).map(({ endpoints }) => endpoints?.length ?? 0);
  assert.ok(Math.max(...sizes) <= 100, String(sizes));
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    130,
  );
});

test('Endpoints that were made by hand go with the service of their name, and stay if they never had one', async () => {
  await using server = await startTestServer({ controllers: '*,endpoints-controller' });
  await server.cluster.settled();
  const path = '/api/v1/namespaces/default/endpoints';
  const own = async () => {
    await server.cluster.settled();
    const names = (await items<Endpoints>(server, path)).map(({ metadata }) => metadata.name);
    return names.filter((name) => name !== 'kubernetes');
  };
  await server.request('POST', SERVICES, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  for (const name of ['web', 'lone']) await server.request('POST', path, { metadata: { name } });
  await server.request('DELETE', `${SERVICES}/web`);
  assert.deepEqual(await own(), ['lone']);
});

test('Endpoints keep what a client has written to them until the pods of their Service change', async () => {
  await using server = await start();
  await addPod(server, 'p1', true);
  await server.cluster.settled();
  const path = '/api/v1/namespaces/default/endpoints/web';
  await server.patch(path, { subsets: [] });
  const addresses = async () => {
    await server.cluster.settled();
    const { subsets = [] } = (await server.request('GET', path)).body as Endpoints;
    return subsets.flatMap((each) => each.addresses ?? []).map(({ ip }) => ip);
  };
  assert.deepEqual(await addresses(), []);
  await addPod(server, 'p2', true);
  assert.deepEqual(await addresses(), ['10.1.0.1', '10.1.0.2']);
});

test("Endpoints that were made by hand are the controller's once their service has a selector", async () => {
  await using server = await startTestServer({ controllers: '*,endpoints-controller' });
  const path = '/api/v1/namespaces/default/endpoints';
  await server.request('POST', SERVICES, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  await server.request('POST', path, { metadata: { name: 'web' } });
  await server.patch(`${SERVICES}/web`, { spec: { selector: { app: 'web' } } });
  await server.cluster.settled();
  const { metadata } = (await server.request('GET', `${path}/web`)).body as Endpoints;
  assert.deepEqual(metadata.labels, { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' });
});

test('a service has the pods that match all labels of its selector', async () => {
  await using server = await start({ selector: { app: 'web', tier: 'front' } });
  await addPod(server, 'p1', true);
  await addPod(server, 'p2', true);
  await server.patch(`${PODS}/p2`, { metadata: { labels: { tier: 'front' } } });
  const addresses = async () => {
    await server.cluster.settled();
    const { body } = await server.request('GET', '/api/v1/namespaces/default/endpoints/web');
    const { subsets = [] } = body as Endpoints;
    return subsets.flatMap((each) => each.addresses ?? []).map(({ ip }) => ip);
  };
  assert.deepEqual(await addresses(), ['10.1.0.2']);
  await server.patch(`${PODS}/p2`, { metadata: { labels: { tier: 'back' } } });
  assert.deepEqual(await addresses(), []);
});
