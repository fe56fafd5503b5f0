import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DrainOptions, drainPlan } from './drain-plan.ts';

const pod = (name: string, controller: string | undefined, members: object = {}, metadata: object = {}) => ({
  metadata: {
    ...{ name, uid: name, resourceVersion: '1', ...metadata },
    ...(controller !== undefined && {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: controller, name: 'owner', uid: 'owner', controller: true }],
    }),
  },
  ...members,
});
const CAREFUL: DrainOptions = { losesLocalData: false, force: false };
const BOLD: DrainOptions = { losesLocalData: true, force: true };
const names = (plan: ReturnType<typeof drainPlan>) => ({
  evicted: plan.evicted.map(({ metadata }) => metadata.name),
  kept: plan.kept.map((spared) => spared.pod.metadata.name),
  undecided: plan.undecided.map((spared) => spared.pod.metadata.name),
});

const LOCAL = { spec: { volumes: [{ name: 'cache', emptyDir: {} }] } };

test('a drain evicts pods of ReplicaSets, not those of DaemonSets and mirror pods', () => {
  const pods = [
    pod('web', 'ReplicaSet'),
    pod('agent', 'DaemonSet'),
    pod('static', 'Node', {}, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
  ];
  assert.deepEqual(names(drainPlan(pods, BOLD)), { evicted: ['web'], kept: ['agent', 'static'], undecided: [] });
});

test('a drain evicts pods of a DaemonSet that is gone only by force', () => {
  const pods = [pod('agent', 'DaemonSet', {}, { namespace: 'kube-system' })];
  const gone = new Set<string>();
  assert.deepEqual(names(drainPlan(pods, { ...CAREFUL, daemonSets: gone })).undecided, ['agent']);
  assert.deepEqual(names(drainPlan(pods, { ...BOLD, daemonSets: gone })).evicted, ['agent']);
  const there = new Set(['kube-system/owner']);
  assert.deepEqual(names(drainPlan(pods, { ...BOLD, daemonSets: there })).kept, ['agent']);
});

test('a drain needs a decision on pods with local data and pods without a controller', () => {
  const pods = [pod('cache', 'ReplicaSet', LOCAL), pod('bare', undefined), pod('web', 'ReplicaSet')];
  assert.deepEqual(names(drainPlan(pods, CAREFUL)), { evicted: ['web'], kept: [], undecided: ['cache', 'bare'] });
  assert.deepEqual(names(drainPlan(pods, { ...CAREFUL, force: true })).undecided, ['cache']);
  assert.deepEqual(names(drainPlan(pods, BOLD)).evicted, ['cache', 'bare', 'web']);
});

test('a drain evicts pods that have ended whatever they were', () => {
  const done = (name: string, controller: string | undefined, phase: string) =>
    pod(name, controller, { ...LOCAL, status: { phase } });
  const pods = [done('job', undefined, 'Succeeded'), done('agent', 'DaemonSet', 'Failed')];
  assert.deepEqual(names(drainPlan(pods, CAREFUL)).evicted, ['job', 'agent']);
});
