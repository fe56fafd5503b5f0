import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInfo, makeNode } from '../../../test/scheduling-objects.ts';
import { ManualClock } from '../../base/clock.ts';
import type { FilterName } from './filter.ts';
import { SchedulingQueue } from './queue.ts';

function makeQueue() {
  const clock = new ManualClock();
  let calls = 0;
  const queue = new SchedulingQueue(clock, () => calls++);
  const take = () => queue.take()?.info.name;
  const reject = (name: string, ...by: FilterName[]) =>
    queue.rejected({ info: makeInfo(name), sinceMs: 0, rejectedBy: new Set() }, new Set(by));
  return { clock, queue, take, reject, calls: () => calls };
}

test('pods are scheduled by priority, then in the order in which they came', () => {
  const { clock, queue, take } = makeQueue();
  queue.set(makeInfo('first'));
  clock.advance(10);
  queue.set(makeInfo('second'));
  queue.set(makeInfo('urgent', { spec: { priority: 5 } }));
  assert.deepEqual([take(), take(), take(), take()], ['urgent', 'first', 'second', undefined]);
});

test('a pod with scheduling gates waits until they are gone', () => {
  const { queue, take, calls } = makeQueue();
  queue.set(makeInfo('gated', { spec: { schedulingGates: [{ name: 'g' }] } }));
  assert.equal(take(), undefined);
  assert.equal(calls(), 0);
  queue.set(makeInfo('gated'));
  assert.equal(take(), 'gated');
});

test('an unschedulable pod waits for a change that may help it', () => {
  const { queue, take, reject } = makeQueue();
  queue.set(makeInfo('big', { requests: { cpu: '2' } }));
  take();
  reject('big', 'NodeResourcesFit');
  assert.equal(take(), undefined);
  queue.changed({ of: 'node', node: makeNode('small', { allocatable: { cpu: '1' } }), before: undefined });
  assert.equal(take(), undefined);
  queue.changed({ of: 'node', node: makeNode('large'), before: undefined });
  assert.equal(take(), 'big');
});

test('an unschedulable pod is tried again after five minutes', () => {
  const { clock, queue, take, reject, calls } = makeQueue();
  queue.set(makeInfo('p'));
  take();
  reject('p', 'NodeAffinity');
  const before = calls();
  clock.advance(299_000);
  assert.equal(calls(), before);
  clock.advance(2_000);
  assert.ok(calls() > before);
  assert.equal(take(), 'p');
});

test('a pod whose binding failed backs off, each time twice as long, up to ten seconds', () => {
  const { clock, queue, take } = makeQueue();
  queue.set(makeInfo('p'));
  const waits: number[] = [];
  for (let attempt = 0; attempt < 6; attempt++) {
    const taken = queue.take();
    assert.ok(taken);
    queue.failed(taken);
    let seconds = 0;
    while (!queue.hasNext) {
      clock.advance(1000);
      seconds++;
    }
    waits.push(seconds);
  }
  // Back-offs end with the second after the one in which they are over.
  assert.deepEqual(waits, [2, 3, 5, 9, 11, 11]);
  assert.equal(take(), 'p');
});

test('a changed pod is tried again, unless only its status has changed', () => {
  const { queue, take, reject } = makeQueue();
  queue.set(makeInfo('p'));
  take();
  reject('p', 'TaintToleration');
  queue.set(makeInfo('p', { status: { phase: 'Pending' } }));
  assert.equal(take(), undefined);
  queue.set(makeInfo('p', { spec: { tolerations: [{ operator: 'Exists' }] } }));
  assert.equal(take(), 'p');
});

test('a removed pod is not scheduled, also if it comes back from an attempt', () => {
  const { queue, take, reject } = makeQueue();
  queue.set(makeInfo('p'));
  take();
  queue.remove('p');
  reject('p', 'NodePorts');
  queue.changed({ of: 'gone pod', pod: makeInfo('other') });
  assert.equal(queue.size, 0);
  assert.equal(take(), undefined);
});
