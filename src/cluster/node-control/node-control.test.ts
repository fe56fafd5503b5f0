import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../../test/pod-runner.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const NODES = '/api/v1/nodes';
const PODS = '/api/v1/namespaces/default/pods';

/** A server whose nodes are the test's. */
async function start(): Promise<TestServer> {
  const names = ['node-ipam-controller', 'node-lifecycle-controller', 'taint-eviction-controller'];
  const server = await startTestServer({ controllers: `*,${names.join()}` });
  for (const name of ['n1', 'n2']) {
    await server.request('POST', NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await report(server, name);
  }
  await server.cluster.settled();
  return server;
}

/** What a kubelet reports. */
async function report(server: TestServer, name: string): Promise<void> {
  const now = new Date(server.clock!.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const times = { lastHeartbeatTime: now, lastTransitionTime: now };
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'KubeletReady', ...times },
    { type: 'MemoryPressure', status: 'False', reason: 'KubeletHasSufficientMemory', ...times },
  ];
  const answer = await server.patch(`${NODES}/${name}/status`, { status: { conditions } });
  assert.equal(answer.status, 200);
}

async function node(server: TestServer, name: string): Promise<Node> {
  await server.cluster.settled();
  return (await server.request('GET', `${NODES}/${name}`)).body as Node;
}

function taints({ spec }: Node): string[] {
  return (spec?.taints ?? []).map(({ key, effect }) => `${key?.split('/')[1]}:${effect}`).sort();
}

test('each node gets a range of addresses for its pods', async () => {
  await using server = await start();
  assert.equal((await node(server, 'n1')).spec?.podCIDR, '10.200.0.0/24');
  assert.deepEqual((await node(server, 'n2')).spec?.podCIDRs, ['10.200.1.0/24']);
});

test('a node that reports no longer is unknown after its grace period, and its pods are not ready', async () => {
  await using server = await start();
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'busybox' }] };
  await server.request('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
  const conditions = [{ type: 'Ready', status: 'True' }];
  await server.patch(`${PODS}/p/status`, { status: { phase: 'Running', conditions } });
  assert.deepEqual(taints(await node(server, 'n1')), []);
  for (let seconds = 0; seconds < 60; seconds += 10) {
    server.clock!.advance('10s');
    await report(server, 'n2');
    await server.cluster.settled();
  }
  const lost = await node(server, 'n1');
  const ready = lost.status?.conditions?.find(({ type }) => type === 'Ready');
  assert.deepEqual([ready?.status, ready?.reason], ['Unknown', 'NodeStatusUnknown']);
  assert.deepEqual(taints(lost), ['unreachable:NoExecute', 'unreachable:NoSchedule']);
  const [pod] = await items<Pod>(server, PODS);
  assert.equal(pod?.status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'False');
  await report(server, 'n1');
  assert.deepEqual(taints(await node(server, 'n1')), []);
});

test('pods are driven from a tainted node: at once, or when their toleration ends', async () => {
  await using server = await start();
  const add = async (name: string, tolerations: object[]) => {
    const spec = { nodeName: 'n1', tolerations, containers: [{ name: 'main', image: 'busybox' }] };
    await server.request('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
  };
  const key = 'maintenance';
  await add('strict', []);
  await add('patient', [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }]);
  await add('tolerant', [{ key, operator: 'Exists', effect: 'NoExecute' }]);
  await server.patch(`${NODES}/n1`, { spec: { taints: [{ key, effect: 'NoExecute' }] } });
  const staying = async () => {
    await server.cluster.settled();
    const pods = await items<Pod>(server, PODS);
    const present = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return present.map(({ metadata }) => metadata.name).sort();
  };
  assert.deepEqual(await staying(), ['patient', 'tolerant']);
  server.clock!.advance('61s');
  assert.deepEqual(await staying(), ['tolerant']);
});

test('an unschedulable node has the taint that says so', async () => {
  await using server = await start();
  await server.patch(`${NODES}/n1`, { spec: { unschedulable: true } });
  const cordoned = await node(server, 'n1');
  assert.deepEqual(taints(cordoned), ['unschedulable:NoSchedule']);
  assert.ok(cordoned.spec?.taints?.every(({ timeAdded }) => timeAdded !== undefined));
  await server.patch(`${NODES}/n1`, { spec: { unschedulable: null } });
  assert.deepEqual(taints(await node(server, 'n1')), []);
});
