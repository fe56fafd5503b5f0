import assert from 'node:assert/strict';
import { test } from 'node:test';
import { created } from '../../../test/created.ts';
import { items } from '../../../test/pod-runner.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const EVENTS = '/api/v1/namespaces/default/events';

interface Budget {
  readonly status: Record<string, unknown> & { readonly conditions: readonly Record<string, unknown>[] };
}

const started = (controllers = 'disruption-controller,replicaset-controller') =>
  startTestServer({ controllers: `*,${controllers}`, seed: 1 });

const labels = { app: 'web' };
const selector = { matchLabels: labels };

function budget(server: TestServer, spec: object): Promise<unknown> {
  const metadata = { name: 'b' };
  return created(server, BUDGETS, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec });
}

async function replicaSet(server: TestServer, replicas: number): Promise<void> {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
  const spec = { replicas, selector, template };
  await created(server, SETS, { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 's' }, spec });
}

/** Reports all pods as running and ready. */
async function makeReady(server: TestServer): Promise<void> {
  await server.cluster.settled();
  for (const { metadata } of await items<{ metadata: { name: string } }>(server, PODS)) {
    const conditions = [{ type: 'Ready', status: 'True' }];
    await server.patch(`${PODS}/${metadata.name}/status`, { status: { phase: 'Running', conditions } });
  }
}

async function status(server: TestServer): Promise<Budget['status']> {
  await server.cluster.settled();
  const { body } = await server.request('GET', `${BUDGETS}/b`);
  return (body as Budget).status;
}

async function reasons(server: TestServer): Promise<string[]> {
  const events = await items<{ reason: string; involvedObject: { kind: string } }>(server, EVENTS);
  return [...new Set(events.filter((each) => each.involvedObject.kind === 'PodDisruptionBudget').map((e) => e.reason))];
}

test('a PodDisruptionBudget without pods allows no disruption and says NoPods', async () => {
  await using server = await started();
  await budget(server, { selector, minAvailable: 1 });
  const { conditions, ...counts } = await status(server);
  assert.deepEqual(counts, {
    ...{ observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1, expectedPods: 0 },
  });
  assert.deepEqual(
    conditions.map(({ type, status: state, reason }) => [type, state, reason]),
    [['DisruptionAllowed', 'False', 'InsufficientPods']],
  );
  assert.deepEqual(await reasons(server), ['NoPods']);
});

test('maxUnavailable of a PodDisruptionBudget counts from the scale of the pods’ controller', async () => {
  await using server = await started();
  await budget(server, { selector, maxUnavailable: '50%' });
  await replicaSet(server, 3);
  await makeReady(server);
  const { disruptionsAllowed, expectedPods, desiredHealthy, conditions } = await status(server);
  assert.deepEqual(
    { disruptionsAllowed, expectedPods, desiredHealthy },
    { disruptionsAllowed: 2, expectedPods: 3, desiredHealthy: 1 },
  );
  assert.equal(conditions[0]?.['reason'], 'SufficientPods');
});

test('an eviction uses up a disruption until its pod has been replaced by a ready one', async () => {
  await using server = await started();
  await budget(server, { selector, minAvailable: 2 });
  await replicaSet(server, 3);
  await makeReady(server);
  assert.equal((await status(server))['disruptionsAllowed'], 1);
  const [pod] = await items<{ metadata: { name: string } }>(server, PODS);
  const { name } = pod!.metadata;
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
  await created(server, `${PODS}/${name}/eviction`, eviction);
  const after = await status(server);
  assert.deepEqual([after['currentHealthy'], after['disruptionsAllowed']], [2, 0]);
  assert.equal(after['disruptedPods'], undefined);
  await makeReady(server);
  assert.equal((await status(server))['disruptionsAllowed'], 1);
});

test('an eviction that does not lead to a deletion is forgotten after two minutes', async () => {
  await using server = await started('disruption-controller');
  await budget(server, { selector, minAvailable: 1 });
  const spec = { containers: [{ name: 'main', image: 'nginx' }] };
  await created(server, PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels }, spec });
  await makeReady(server);
  assert.equal((await status(server))['currentHealthy'], 1);
  const now = new Date(server.clock!.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  await server.patch(`${BUDGETS}/b/status`, { status: { disruptedPods: { p: now, gone: now } } });
  const marked = await status(server);
  assert.deepEqual([marked['currentHealthy'], marked['disruptedPods']], [0, { p: now }]);
  await server.clock!.advance('121s');
  const after = await status(server);
  assert.deepEqual([after['currentHealthy'], after['disruptedPods']], [1, undefined]);
});

test('a PodDisruptionBudget whose pods have a controller without a scale fails with SyncFailed', async () => {
  await using server = await started('disruption-controller,job-controller');
  await budget(server, { selector, maxUnavailable: 1 });
  const template = {
    metadata: { labels },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'nginx' }] },
  };
  const metadata = { name: 'j' };
  await created(server, '/apis/batch/v1/namespaces/default/jobs', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: { template },
  });
  const { conditions } = await status(server);
  assert.equal(conditions[0]?.['reason'], 'SyncFailed');
  assert.equal(conditions[0]?.['message'], 'jobs.batch does not implement the scale subresource');
  assert.ok((await reasons(server)).includes('CalculateExpectedPodCountFailed'));
});

test('an announced disruption of a pod that stays is taken back after two minutes', async () => {
  await using server = await started('disruption-controller');
  const spec = { containers: [{ name: 'main', image: 'nginx' }] };
  await created(server, PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
  const lastTransitionTime = new Date(server.clock!.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = [
    { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', lastTransitionTime },
  ];
  await server.patch(`${PODS}/p/status`, { status: { phase: 'Running', conditions } });
  const target = async () => {
    await server.cluster.settled();
    const { body } = await server.request('GET', `${PODS}/p`);
    const { status: found } = body as { status: { conditions: { status: string; reason?: string }[] } };
    return found.conditions.map((each) => `${each.status} ${each.reason}`);
  };
  await server.clock!.advance('119s');
  assert.deepEqual(await target(), ['True PreemptionByScheduler']);
  await server.clock!.advance('2s');
  assert.deepEqual(await target(), ['False undefined']);
});
