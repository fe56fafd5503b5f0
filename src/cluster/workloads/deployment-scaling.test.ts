import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, ReplicaSet } from '../../resources/builtin/apps/v1-objects.ts';
import { maxSurge, maxUnavailable, shareScale, shrinkOld, sizeOfCurrent } from './deployment-scaling.ts';

type Bound = number | string;

function deployment(replicas: number, surge: Bound, unavailable: Bound): Deployment {
  const rollingUpdate = { maxSurge: surge, maxUnavailable: unavailable };
  return { metadata: { name: 'd' }, spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate } } };
}

function set(name: string, replicas: number, available = replicas): ReplicaSet {
  const annotations = { 'deployment.kubernetes.io/max-replicas': '13' };
  const metadata = { name, creationTimestamp: `2026-01-01T00:00:0${name}Z`, annotations };
  return { metadata, spec: { replicas }, status: { replicas, availableReplicas: available } };
}

test('maxSurge is rounded up, maxUnavailable down, and one pod may be missing if both come to nothing', () => {
  assert.deepEqual([maxSurge(deployment(10, '25%', 0)), maxUnavailable(deployment(10, 0, '25%'))], [3, 2]);
  assert.equal(maxUnavailable(deployment(2, 0, '1%')), 1);
  assert.equal(maxUnavailable(deployment(0, 1, 1)), 0);
});

test('the new ReplicaSet grows by as much as the surge leaves room for', () => {
  const current = set('2', 0);
  assert.equal(sizeOfCurrent(deployment(10, 3, 0), current, [set('1', 10), current]), 3);
  assert.equal(sizeOfCurrent(deployment(10, 3, 0), current, [set('1', 13), current]), 0);
});

test('old pods that are not available go first, and available ones only as others take their place', () => {
  const old = set('1', 10, 8);
  const sizes = (steps: ReturnType<typeof shrinkOld>) => steps.map(({ replicas }) => replicas);
  assert.deepEqual(sizes(shrinkOld(deployment(10, 3, 2), set('2', 0), [old])), [8]);
  assert.deepEqual(sizes(shrinkOld(deployment(10, 3, 2), set('2', 5, 0), [set('1', 8)])), []);
  assert.deepEqual(sizes(shrinkOld(deployment(10, 3, 2), set('2', 5, 5), [set('1', 8)])), [3]);
});

test('a change of size during a rollout is shared in proportion, the rest by the largest ReplicaSet', () => {
  const [current, old] = [set('2', 5), set('1', 8)];
  const shares = shareScale(deployment(20, 3, 2), current, [old]);
  assert.deepEqual(
    shares.map(({ set: { metadata }, replicas }) => [metadata.name, replicas]),
    [
      ['1', 14],
      ['2', 9],
    ],
  );
});

test('a Deployment with a single active ReplicaSet gives that one its whole size', () => {
  const shares = shareScale(deployment(4, 1, 0), set('2', 0), [set('1', 2)]);
  assert.deepEqual(
    shares.map(({ set: { metadata }, replicas }) => [metadata.name, replicas]),
    [['1', 4]],
  );
});
