import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../../test/pod-runner.ts';
import type { EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const CORE = '/api/v1/namespaces/default';
const MODE = 'service.kubernetes.io/topology-mode';

interface Event {
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string };
}

/** Nodes, each in its zone, and a service whose pods are on them. */
async function start(zones: readonly string[], { pods, service }: { pods: readonly string[]; service: object }) {
  const server = await startTestServer({ controllers: '*,endpointslice-controller' });
  for (const zone of zones) await addNode(server, zone);
  const { spec, ...metadata } = { spec: {}, ...service };
  await server.request('POST', `${CORE}/services`, {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', ...metadata } },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
  });
  await server.cluster.settled();
  for (const [index, zone] of pods.entries()) await addPod(server, index, zone);
  return server;
}

async function addNode(server: TestServer, zone: string): Promise<void> {
  const metadata = { name: `node-${zone}`, labels: { 'topology.kubernetes.io/zone': zone } };
  const conditions = [{ type: 'Ready', status: 'True' }];
  const status = { allocatable: { cpu: '4' }, capacity: { cpu: '4' }, conditions };
  const answer = await server.request('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata, status });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
}

async function addPod(server: TestServer, index: number, zone: string, ready = true): Promise<void> {
  const metadata = { name: `p${index}`, labels: { app: 'web' } };
  const spec = { nodeName: `node-${zone}`, containers: [{ name: 'web', image: 'nginx' }] };
  await server.request('POST', `${CORE}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  const podIP = `10.1.0.${index + 1}`;
  await server.patch(`${CORE}/pods/p${index}/status`, { status: { podIP, podIPs: [{ ip: podIP }], conditions } });
  await server.cluster.settled();
}

/** By endpoint: its zone, and the zones and nodes for which it is meant. */
async function hints(server: TestServer): Promise<string[]> {
  await server.cluster.settled();
  const slices = await items<EndpointSlice>(server, '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices');
  const ours = slices.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'web');
  const found = ours
    .flatMap(({ endpoints }) => endpoints ?? [])
    .map(({ zone, hints: { forZones, forNodes } = {} }) => {
      return [zone, ...[...(forZones ?? []), ...(forNodes ?? [])].map(({ name }) => name)].join(' ');
    });
  return found.sort();
}

async function events(server: TestServer): Promise<string[]> {
  await server.cluster.settled();
  const all = await items<Event>(server, `${CORE}/events`);
  return all
    .filter(({ source }) => source.component === 'endpoint-slice-controller')
    .map(({ reason, message }) => `${reason}: ${message}`);
}

test('an endpoint of a Service with trafficDistribution PreferSameZone is meant for its own zone', async () => {
  const service = { spec: { trafficDistribution: 'PreferSameZone' } };
  await using server = await start(['a', 'b'], { pods: ['a', 'b'], service });
  await addPod(server, 2, 'b', false);
  assert.deepEqual(await hints(server), ['a a', 'b', 'b b']);
});

test('hints of endpoints follow the trafficDistribution of their Service', async () => {
  const service = { spec: { trafficDistribution: 'PreferClose' } };
  await using server = await start(['a', 'b'], { pods: ['a', 'b'], service });
  assert.deepEqual(await hints(server), ['a a', 'b b']);
  await server.patch(`${CORE}/services/web`, { spec: { trafficDistribution: 'PreferSameNode' } });
  assert.deepEqual(await hints(server), ['a a node-a', 'b b node-b']);
  await server.patch(`${CORE}/services/web`, { spec: { trafficDistribution: null } });
  assert.deepEqual(await hints(server), ['a', 'b']);
});

test('with topology-mode Auto, endpoints are meant for zones by the processors of their nodes', async () => {
  const service = { annotations: { [MODE]: 'Auto' } };
  await using server = await start(['a', 'b'], { pods: ['a', 'a', 'a', 'b'], service });
  assert.deepEqual(await hints(server), ['a a', 'a a', 'a b', 'b b']);
  const few = (count: number) => `Insufficient number of endpoints (${count} endpoints, 2 zones)`;
  const uneven = 'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold';
  // An event that comes again is counted.
  assert.deepEqual((await events(server)).sort(), [
    `TopologyAwareHintsDisabled: ${few(0)}, addressType: IPv4`,
    `TopologyAwareHintsDisabled: ${few(1)}, addressType: IPv4`,
    `TopologyAwareHintsDisabled: ${uneven} (3 endpoints, 2 zones), addressType: IPv4`,
    'TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4',
  ]);
});

test('hints by zones go when the annotation topology-mode does', async () => {
  const service = { annotations: { [MODE]: 'Auto' } };
  await using server = await start(['a', 'b'], { pods: ['a', 'b'], service });
  assert.deepEqual(await hints(server), ['a a', 'b b']);
  await server.patch(`${CORE}/services/web`, { metadata: { annotations: { [MODE]: 'Disabled' } } });
  assert.deepEqual(await hints(server), ['a', 'b']);
  const last = 'TopologyAwareHintsDisabled: Topology Aware Hints has been disabled, addressType: IPv4';
  assert.ok((await events(server)).includes(last));
});

test('hints by zones are made anew when a zone is added or nodes no longer tell theirs', async () => {
  const service = { annotations: { [MODE]: 'Auto' } };
  await using server = await start(['a', 'b'], { pods: ['a', 'a', 'b', 'b', 'b', 'b'], service });
  assert.deepEqual(await hints(server), ['a a', 'a a', 'b a', 'b b', 'b b', 'b b']);
  await addNode(server, 'c');
  assert.deepEqual(await hints(server), ['a a', 'a a', 'b b', 'b b', 'b c', 'b c']);
  await server.patch('/api/v1/nodes/node-c', { metadata: { labels: { 'topology.kubernetes.io/zone': null } } });
  assert.deepEqual(await hints(server), ['a', 'a', 'b', 'b', 'b', 'b']);
});
