import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../../base/seeded-random.ts';
import { conditionEvents } from './node-conditions.ts';
import { NodeImages } from './node-images.ts';
import { nextRenewalMs } from './node-leases.ts';
import { nodeAddress, nodeNumber, nodeStatus } from './node-object.ts';

const random = new SeededRandom(1);
const facts = {
  ...{ name: 'node-1', address: nodeAddress(1), minor: 34, nowMs: Date.UTC(2026, 0, 1) },
  ...{ conditions: new Map<string, string>(), images: new NodeImages(), uuid: () => random.uuid() },
};
const LATER = '2026-01-01T00:01:00Z';

test('the status of a node keeps what others have written, and its machine', () => {
  const first = nodeStatus(undefined, facts);
  const gpu = { ...first.capacity, 'example.com/gpu': '2' };
  const conditions = [{ type: 'NetworkUnavailable', status: 'False' }, ...(first.conditions ?? [])];
  const next = nodeStatus(
    { ...first, capacity: gpu, allocatable: gpu, conditions },
    { ...facts, nowMs: facts.nowMs + 1 },
  );
  assert.deepEqual(next.nodeInfo, first.nodeInfo);
  assert.equal(next.allocatable?.['example.com/gpu'], '2');
  assert.equal(next.conditions?.[0]?.type, 'NetworkUnavailable');
  assert.equal(next.conditions?.length, 5);
});

test('the time of a transition of a condition of a node changes only with its status', () => {
  const first = nodeStatus(undefined, facts);
  const conditions = new Map([['DiskPressure', 'True']]);
  const next = nodeStatus(first, { ...facts, conditions, nowMs: facts.nowMs + 60_000 });
  const times = Object.fromEntries((next.conditions ?? []).map((each) => [each.type, each.lastTransitionTime]));
  assert.equal(times['DiskPressure'], LATER);
  assert.equal(times['Ready'], '2026-01-01T00:00:00Z');
  assert.ok(next.conditions?.every(({ lastHeartbeatTime }) => lastHeartbeatTime === LATER));
  assert.deepEqual(conditionEvents(first.conditions ?? [], next.conditions ?? []), [{ reason: 'NodeHasDiskPressure' }]);
});

test('the leases of many nodes are renewed every ten seconds in ten groups', () => {
  const nowMs = 1_000_000_500;
  const times = Array.from({ length: 1000 }, (_, index) => nextRenewalMs(index + 1, 1000, nowMs));
  assert.ok(times.every((time) => time > nowMs && time <= nowMs + 10_000));
  const sizes = new Map<number, number>();
  for (const time of times) sizes.set(time, (sizes.get(time) ?? 0) + 1);
  assert.deepEqual([...sizes.values()], Array(10).fill(100));
  assert.equal(nextRenewalMs(7, 1000, times[6]!), times[6]! + 10_000);
});

test('the address of a simulated node contains its number', () => {
  for (const number of [1, 255, 256, 5000]) assert.equal(nodeNumber(nodeAddress(number)), number);
  assert.equal(nodeNumber('10.0.0.1'), undefined);
  assert.equal(nodeNumber('node-1'), undefined);
});
