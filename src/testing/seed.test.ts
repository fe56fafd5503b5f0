import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const TEMPLATE = { spec: { containers: [{ name: 'c', image: 'i' }] } };

/** All writes of some time with a Deployment that loses a node, and with a CronJob. */
async function writesIn(time: string, seed: number): Promise<string[]> {
  await using server = await startTestServer({ nodes: 3, seed });
  const metadata = { labels: { app: 'web' } };
  await server.request('POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: { replicas: 4, selector: { matchLabels: metadata.labels }, template: { metadata, ...TEMPLATE } },
  });
  const template = { spec: { ...TEMPLATE.spec, restartPolicy: 'Never' } };
  await server.request('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    metadata: { name: 'hourly' },
    spec: { schedule: '0 * * * *', jobTemplate: { spec: { template } } },
  });
  await server.cluster.settled();
  server.cluster.nodes.stop('node-2');
  await server.clock?.advance(time);
  return server.snapshot().writes.map(({ event }) => `${event.revision} ${event.key} ${event.value?.toString()}`);
}

test('two test servers with the same seed have the same history, write by write', async () => {
  const first = await writesIn('3h', 7);
  const second = await writesIn('3h', 7);
  const difference = first.findIndex((write, index) => write !== second[index]);
  assert.equal(second[difference], first[difference]);
  assert.equal(second.length, first.length);
  assert.ok(first.some((write) => write.includes('/pods/default/hourly-')));
});

/** All writes of an hour in which pods fail and are preempted, evicted and scaled, and nodes go. */
async function writesOfTrouble(seed: number): Promise<string[]> {
  await using server = await startTestServer({ nodes: 3, seed, nodeDelays: 'realistic' });
  const { cluster, clock } = server;
  const metadata = { labels: { app: 'web' } };
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '2' } } }];
  const web = { replicas: 6, selector: { matchLabels: metadata.labels }, template: { metadata, spec: { containers } } };
  await server.request('POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: web,
  });
  const target = { type: 'Utilization', averageUtilization: 20 };
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  const autoscaler = { metadata: { name: 'web' }, spec: { scaleTargetRef, maxReplicas: 12, metrics } };
  await server.request('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', autoscaler);
  await clock?.advance('10m');
  const important = { priorityClassName: 'system-cluster-critical', containers };
  for (const name of ['a', 'b', 'c', 'd']) await server.request('POST', PODS, { metadata: { name }, spec: important });
  await clock?.advance('1m');
  cluster.pods.fail('default', 'a', { exitCode: 137, reason: 'OOMKilled' });
  cluster.nodes.stop('node-1');
  await clock?.advance('20m');
  await server.request('DELETE', '/api/v1/nodes/node-1');
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'b' } };
  await server.request('POST', `${PODS}/b/eviction`, eviction);
  await clock?.advance('30m');
  return server.snapshot().writes.map(({ event }) => `${event.revision} ${event.key} ${event.value?.toString()}`);
}

test('two test servers with the same seed have the same history also in trouble', async () => {
  const [first, second] = [await writesOfTrouble(3), await writesOfTrouble(3)];
  const difference = first.findIndex((write, index) => write !== second[index]);
  assert.equal(second[difference], first[difference]);
  assert.equal(second.length, first.length);
  for (const reason of ['Preempted', 'OOMKilled', 'SuccessfulRescale', 'NodeNotReady'])
    assert.ok(
      first.some((write) => write.includes(reason)),
      reason,
    );
});

test('two test servers with different seeds give their pods different names', async () => {
  const pods = (writes: readonly string[]) => writes.flatMap((write) => /pods\/default\/web-\S+/.exec(write) ?? []);
  assert.notDeepEqual(pods(await writesIn('1m', 1)), pods(await writesIn('1m', 2)));
});

test('the clock of a test server with a seed stands still until it is advanced', async () => {
  await using server = await startTestServer({ seed: 1 });
  assert.equal(server.clock?.now(), Date.UTC(2026, 0, 1));
  void server.clock?.advance('90s');
  const { body } = await server.request('POST', '/api/v1/namespaces', { metadata: { name: 'late' } });
  const { metadata } = body as { metadata: { creationTimestamp: string } };
  assert.equal(metadata.creationTimestamp, '2026-01-01T00:01:30Z');
});
