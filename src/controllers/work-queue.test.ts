import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { MetricRegistry } from '../lifecycle/metrics.ts';
import { declareWorkQueueMetrics } from '../lifecycle/work-queue-metrics.ts';
import { WorkQueue } from './work-queue.ts';

function queueOf(work: (key: string) => Promise<number | undefined>, concurrency = 2) {
  const clock = new ManualClock();
  const metrics = new MetricRegistry();
  const queueMetrics = declareWorkQueueMetrics(metrics);
  const context = { clock, log: silentLog, turns: { enter: () => {} }, queueMetrics };
  const queue = new WorkQueue({ name: 'test', context, concurrency, work });
  return { clock, queue, metrics };
}

test('a key in a work queue is handled once however often it is added, and not before the start', async () => {
  const seen: string[] = [];
  const { queue } = queueOf(async (key) => void seen.push(key) as undefined);
  for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
  await new Promise(setImmediate);
  assert.deepEqual(seen, []);
  queue.start();
  await queue.quiet();
  assert.deepEqual(seen, ['a', 'b']);
});

test('a key that is added while it is handled is handled again, and never twice at once', async () => {
  let running = 0;
  let most = 0;
  let rounds = 0;
  const { queue } = queueOf(async (key) => {
    running++;
    most = Math.max(most, running);
    if (++rounds < 3) queue.add(key);
    await new Promise(setImmediate);
    running--;
    return undefined;
  });
  queue.start();
  queue.add('a');
  await queue.quiet();
  assert.deepEqual({ rounds, most }, { rounds: 3, most: 1 });
});

test('a work queue handles no more keys at once than allowed', async () => {
  let running = 0;
  let most = 0;
  const { queue } = queueOf(async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return undefined;
  }, 3);
  queue.start();
  for (let key = 0; key < 20; key++) queue.add(String(key));
  await queue.quiet();
  assert.equal(most, 3);
});

test('failed work is retried with increasing delays until it succeeds', async () => {
  const times: number[] = [];
  const { clock, queue } = queueOf(async () => {
    times.push(clock.now());
    if (times.length < 4) throw new Error('not yet');
    return undefined;
  });
  const start = clock.now();
  queue.start();
  queue.add('a');
  await queue.quiet();
  for (let step = 0; step < 12; step++) {
    clock.advance(10);
    await queue.quiet();
  }
  assert.deepEqual(
    times.map((time) => time - start),
    [0, 10, 30, 70],
  );
});

test('work may be repeated after a delay, which adding the key shortens', async () => {
  let rounds = 0;
  const { clock, queue } = queueOf(async () => {
    rounds++;
    return 1000;
  });
  queue.start();
  queue.add('a');
  await queue.quiet();
  clock.advance(999);
  await queue.quiet();
  assert.equal(rounds, 1);
  clock.advance(1);
  await queue.quiet();
  assert.equal(rounds, 2);
  queue.add('a');
  await queue.quiet();
  assert.equal(rounds, 3);
});

test('a stopped work queue drops waiting keys and ends when the current ones are done', async () => {
  const seen: string[] = [];
  let finish = (): void => {};
  const { clock, queue } = queueOf(async (key) => {
    seen.push(key);
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    throw new Error('which would come again');
  }, 1);
  queue.start();
  queue.add('a');
  queue.add('b');
  await new Promise(setImmediate);
  let stopped = false;
  const stopping = queue.stop().then(() => {
    stopped = true;
  });
  await new Promise(setImmediate);
  assert.equal(stopped, false);
  finish();
  await stopping;
  queue.add('c');
  clock.advance(100_000);
  await new Promise(setImmediate);
  assert.deepEqual(seen, ['a']);
});

test('the metrics of a work queue count waiting keys, their wait, their work and their retries', async () => {
  let end = () => {};
  let failures = 1;
  const { clock, queue, metrics } = queueOf(async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    if (failures-- > 0) throw new Error('not yet');
    return undefined;
  }, 1);
  const value = (name: string) => Number(new RegExp(`^${name}\\{name="test"\\} (.+)$`, 'm').exec(metrics.text())?.[1]);
  for (const key of ['a', 'b', 'a']) queue.add(key);
  assert.deepEqual([value('workqueue_depth'), value('workqueue_adds_total')], [2, 2]);
  clock.advance(1_000);
  queue.start();
  await new Promise(setImmediate);
  clock.advance(3_000);
  assert.equal(value('workqueue_depth'), 1);
  assert.equal(value('workqueue_queue_duration_seconds_sum'), 1);
  assert.equal(value('workqueue_unfinished_work_seconds'), 3);
  assert.equal(value('workqueue_longest_running_processor_seconds'), 3);
  end();
  await new Promise(setImmediate);
  assert.equal(value('workqueue_work_duration_seconds_sum'), 3);
  assert.equal(value('workqueue_retries_total'), 1);
  const stopped = queue.stop();
  end();
  await stopped;
  assert.deepEqual([value('workqueue_depth'), value('workqueue_unfinished_work_seconds')], [0, 0]);
});
