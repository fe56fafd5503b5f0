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

test('pods of ReplicaSets are evicted, those of DaemonSets and mirror pods stay', () => {
  const pods = [
    pod('web', 'ReplicaSet'),
    pod('agent', 'DaemonSet'),
    pod('static', 'Node', {}, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
  ];
  assert.deepEqual(names(drainPlan(pods, BOLD)), { evicted: ['web'], kept: ['agent', 'static'], undecided: [] });
});

test('pods with local data and pods without a controller need a decision', () => {
  const pods = [pod('cache', 'ReplicaSet', LOCAL), pod('bare', undefined), pod('web', 'ReplicaSet')];
  assert.deepEqual(names(drainPlan(pods, CAREFUL)), { evicted: ['web'], kept: [], undecided: ['cache', 'bare'] });
  assert.deepEqual(names(drainPlan(pods, { ...CAREFUL, force: true })).undecided, ['cache']);
  assert.deepEqual(names(drainPlan(pods, BOLD)).evicted, ['cache', 'bare', 'web']);
});

test('pods that are finished are evicted whatever they were', () => {
  const done = (name: string, controller: string | undefined, phase: string) =>
    pod(name, controller, { ...LOCAL, status: { phase } });
  const pods = [done('job', undefined, 'Succeeded'), done('agent', 'DaemonSet', 'Failed')];
  assert.deepEqual(names(drainPlan(pods, CAREFUL)).evicted, ['job', 'agent']);
});
