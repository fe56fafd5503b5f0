import assert from 'node:assert/strict';
import { test } from 'node:test';
import { created } from '../../../test/created.ts';
import { items } from '../../../test/pod-runner.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SCALERS = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';

interface Status {
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  readonly currentMetrics: readonly Record<string, unknown>[];
  readonly conditions: readonly { type: string; status: string; reason: string; message: string }[];
}

interface Workload {
  readonly replicas: number;
  readonly usage?: string;
  readonly requests?: object;
}

async function deployment(
  server: TestServer,
  { replicas, usage, requests = { cpu: '100m' } }: Workload,
): Promise<void> {
  const labels = { app: 'web' };
  const annotations = usage === undefined ? {} : { 'keelson.dev/cpu-usage': usage };
  const containers = [{ name: 'main', image: 'nginx', resources: { requests } }];
  const template = { metadata: { labels, annotations }, spec: { containers } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  await created(server, DEPLOYMENTS, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
}

async function autoscaler(server: TestServer, more: object = {}): Promise<void> {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const target = { type: 'Utilization', averageUtilization: 50 };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  const spec = { scaleTargetRef, minReplicas: 1, maxReplicas: 10, metrics, ...more };
  const body = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'web' }, spec };
  await created(server, SCALERS, body);
}

async function pass(server: TestServer, time: string): Promise<Status> {
  await server.clock!.advance(time);
  await server.cluster.settled();
  const { body } = await server.request('GET', `${SCALERS}/web`);
  return (body as { status: Status }).status;
}

async function replicas(server: TestServer): Promise<number> {
  const { body } = await server.request('GET', `${DEPLOYMENTS}/web`);
  return (body as { spec: { replicas: number } }).spec.replicas;
}

/** Lets the workload and the autoscaler run until the metrics of the pods count. */
async function running(server: TestServer): Promise<Status> {
  await server.cluster.settled();
  return pass(server, '15s');
}

function conditions({ conditions: all }: Status): string[] {
  return all.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
}

async function events(server: TestServer): Promise<string[]> {
  const all = await items<{ reason: string; message: string; involvedObject: { kind: string } }>(
    server,
    '/api/v1/namespaces/default/events',
  );
  const own = all.filter(({ involvedObject }) => involvedObject.kind === 'HorizontalPodAutoscaler');
  return [...new Set(own.map(({ reason, message }) => `${reason}: ${message}`))];
}

test('a HorizontalPodAutoscaler adds replicas while pods use more CPU than their target', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 2, usage: '75m' });
  await autoscaler(server);
  const status = await running(server);
  assert.equal(await replicas(server), 3);
  assert.deepEqual([status.currentReplicas, status.desiredReplicas], [2, 3]);
  assert.deepEqual(status.currentMetrics, [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 75, averageValue: '75m' } } },
  ]);
  assert.deepEqual(conditions(status), [
    'AbleToScale True SucceededRescale',
    'ScalingActive True ValidMetricFound',
    'ScalingLimited False DesiredWithinRange',
  ]);
  assert.deepEqual(await events(server), [
    'SuccessfulRescale: New size: 3; reason: cpu resource utilization (percentage of request) above target',
  ]);
});

test('a pod uses half of its CPU request unless an annotation says otherwise', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 2 });
  await autoscaler(server);
  const status = await running(server);
  assert.equal(await replicas(server), 2);
  assert.ok(conditions(status).includes('AbleToScale True ReadyForNewScale'));
  assert.deepEqual(status.currentMetrics, [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 50, averageValue: '50m' } } },
  ]);
});

test('a HorizontalPodAutoscaler removes replicas only when none were recommended for five minutes', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 4, usage: '10m' });
  await autoscaler(server);
  const status = await running(server);
  assert.ok(conditions(status).includes('AbleToScale True ScaleDownStabilized'));
  await pass(server, '4m');
  assert.equal(await replicas(server), 4);
  await pass(server, '75s');
  assert.equal(await replicas(server), 1);
});

test('the policies of a HorizontalPodAutoscaler limit how fast it adds replicas', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 2, usage: '250m' });
  const scaleUp = { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] };
  await autoscaler(server, { behavior: { scaleUp } });
  const status = await running(server);
  assert.ok(conditions(status).includes('ScalingLimited True ScaleUpLimit'));
  assert.equal(await replicas(server), 3);
  await pass(server, '30s');
  assert.equal(await replicas(server), 3);
  await pass(server, '60s');
  assert.equal(await replicas(server), 4);
});

test('maxReplicas and minReplicas of a HorizontalPodAutoscaler hold without metrics', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 5 });
  await autoscaler(server, { maxReplicas: 3 });
  await running(server);
  assert.equal(await replicas(server), 3);
  assert.deepEqual(await events(server), [
    'SuccessfulRescale: New size: 3; reason: Current number of replicas above Spec.MaxReplicas',
  ]);
});

test('a HorizontalPodAutoscaler of pods without requests says FailedGetResourceMetric', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 1, requests: {} });
  await autoscaler(server);
  const status = await running(server);
  const active = status.conditions.find(({ type }) => type === 'ScalingActive');
  assert.equal(active?.reason, 'FailedGetResourceMetric');
  assert.match(
    active.message,
    /^the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container main of Pod web-/,
  );
  assert.deepEqual(status.currentMetrics, [{ type: '' }]);
});

test('a HorizontalPodAutoscaler without a workload says FailedGetScale', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await autoscaler(server);
  const status = await running(server);
  assert.deepEqual(conditions(status), ['AbleToScale False FailedGetScale']);
  assert.deepEqual(await events(server), ['FailedGetScale: deployments.apps "web" not found']);
});

test('external metrics fail with FailedGetExternalMetric', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 1 });
  const external = { metric: { name: 'queue' }, target: { type: 'Value', value: '3' } };
  await autoscaler(server, { metrics: [{ type: 'External', external }] });
  const status = await running(server);
  assert.ok(conditions(status).includes('ScalingActive False FailedGetExternalMetric'));
});

test('a HorizontalPodAutoscaler by the memory of one container counts only that container', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 1, requests: { memory: '100Mi' } });
  const target = { type: 'AverageValue', averageValue: '30Mi' };
  const containerResource = { name: 'memory', container: 'main', target };
  await autoscaler(server, { metrics: [{ type: 'ContainerResource', containerResource }] });
  const status = await running(server);
  assert.equal(await replicas(server), 2);
  assert.deepEqual(status.currentMetrics, [
    {
      type: 'ContainerResource',
      containerResource: { name: 'memory', container: 'main', current: { averageValue: '60Mi' } },
    },
  ]);
});

test('a HorizontalPodAutoscaler sees memory in whole KiB, as metrics-server publishes it', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 1, requests: { memory: '64Mi' } });
  const target = { type: 'Utilization', averageUtilization: 80 };
  await autoscaler(server, { metrics: [{ type: 'Resource', resource: { name: 'memory', target } }] });
  const { currentMetrics } = await running(server);
  const current = { averageUtilization: 59, averageValue: '39321Ki' };
  assert.deepEqual(currentMetrics, [{ type: 'Resource', resource: { name: 'memory', current } }]);
});

test('a HorizontalPodAutoscaler by a metric of pods says that no API for custom metrics is registered', async () => {
  await using server = await startTestServer({ nodes: 1, seed: 1 });
  await deployment(server, { replicas: 1 });
  const target = { type: 'AverageValue', averageValue: '1' };
  await autoscaler(server, { metrics: [{ type: 'Pods', pods: { metric: { name: 'hits' }, target } }] });
  const texts = (await running(server)).conditions.map(({ message }) => message);
  assert.ok(
    texts.some((text) => text.endsWith('no custom metrics API (custom.metrics.k8s.io) registered')),
    texts.join(),
  );
});
