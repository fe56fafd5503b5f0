import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { type AdmittedPods, rejectionOf } from './pod-admission.ts';
import { podRequest } from './pod-amounts.ts';
import { nextToEvict } from './pod-eviction.ts';

function pod(name: string, { memory = '', priority = 0 }: { memory?: string; priority?: number } = {}): Pod {
  const resources = memory === '' ? {} : { requests: { memory } };
  return { metadata: { name, namespace: 'ns' }, spec: { priority, containers: [{ name: 'main', resources }] } };
}

function node(pressures: readonly string[] = []): Node {
  const conditions = pressures.map((type) => ({ type, status: 'True' }));
  return { metadata: { name: 'n' }, status: { allocatable: { cpu: '1', memory: '1Gi', pods: '2' }, conditions } };
}

function admitted(...pods: readonly Pod[]): AdmittedPods {
  const requested = (resource: string) => pods.reduce((sum, each) => sum + podRequest(each, resource), 0n);
  return { count: pods.length, requested };
}

test('a node rejects pods that it has no room for', () => {
  assert.equal(rejectionOf(pod('a', { memory: '512Mi' }), node(), admitted(pod('b', { memory: '512Mi' }))), undefined);
  const { reason, message } =
    rejectionOf(pod('a', { memory: '513Mi' }), node(), admitted(pod('b', { memory: '512Mi' }))) ?? {};
  assert.equal(reason, 'OutOfmemory');
  const amounts = 'requested: 537919488, used: 536870912, capacity: 1073741824';
  assert.equal(message, `Node didn't have enough resource: memory, ${amounts}`);
  assert.equal(rejectionOf(pod('a'), node(), admitted(pod('b'), pod('c')))?.reason, 'OutOfpods');
});

test('a node under pressure rejects pods, except critical ones and those with memory requests', () => {
  const low = node(['MemoryPressure']);
  assert.deepEqual(rejectionOf(pod('a'), low, admitted()), {
    reason: 'Evicted',
    message: 'The node had condition: [MemoryPressure]. ',
  });
  assert.equal(rejectionOf(pod('a', { memory: '1Mi' }), low, admitted()), undefined);
  assert.equal(rejectionOf(pod('a', { priority: 2_000_000_000 }), low, admitted()), undefined);
  assert.equal(rejectionOf(pod('a', { memory: '1Mi' }), node(['DiskPressure']), admitted())?.reason, 'Evicted');
});

test('a pod requests the sum of its containers and sidecars, or the maximum of an init container', () => {
  const container = (name: string, cpu: string, restartPolicy?: string) => ({
    ...{ name, resources: { requests: { cpu } } },
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  });
  const spec = {
    initContainers: [container('side', '100m', 'Always'), container('init', '2')],
    containers: [container('one', '500m'), container('two', '1')],
    overhead: { cpu: '1m' },
  };
  assert.equal(podRequest({ metadata: {}, spec }, 'cpu'), 2101n);
  const { initContainers: _, ...without } = spec;
  assert.equal(podRequest({ metadata: {}, spec: without }, 'cpu'), 1501n);
});

test('the pod of the lowest priority without requests is evicted first', () => {
  const pods = [pod('b'), pod('a'), pod('important', { priority: 5 }), pod('modest', { memory: '1Mi', priority: -1 })];
  const order: string[] = [];
  for (let left = pods; ; ) {
    const next = nextToEvict(left, 'memory');
    if (next === undefined) break;
    order.push(next.metadata.name ?? '');
    left = left.filter((each) => each !== next);
  }
  assert.deepEqual(order, ['a', 'b', 'important']);
});
