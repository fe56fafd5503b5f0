import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueLevel, requestOf, Simulation, schemaOf } from '../../test/flow-simulation.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from './dump.ts';
import { proportionalShare, type SeatShare } from './seat-share.ts';
import { ONE_SEAT } from './work-estimate.ts';

/** Milliseconds, evenly spread around `middle`. */
function durations(seed: number, middle = 10): () => number {
  const random = new SeededRandom(seed);
  return () => middle / 2 + random.below(middle + 1);
}

/** One level that has nearly all seats. */
function oneLevel(users: readonly string[], seats: number | SeatShare = 20): Simulation {
  const simulation = new Simulation(seats);
  // So many queues that no two flows have one in common.
  const queuing = { queues: 1024, handSize: 6, queueLengthLimit: 50 };
  const level = queueLevel('only', { nominalConcurrencyShares: 1000 }, queuing);
  simulation.controller.configure({ levels: [level], schemas: [schemaOf('only', users)] });
  return simulation;
}

test('a flooding flow does not take seats from one that needs less than its share', () => {
  const simulation = oneLevel(['elephant', 'mouse']);
  simulation.keepBusy('elephant', 100, durations(1));
  simulation.keepBusy('mouse', 2, durations(2));
  simulation.clock.advance(10_000);
  const mouse = simulation.outcome('mouse');
  assert.equal(mouse.refused, 0);
  assert.ok(mouse.longestWaitMs <= 30, `the mouse waited ${mouse.longestWaitMs} ms`);
  // Two at a time, 10 ms each, for 10 s, less what it waited.
  assert.ok(mouse.served > 1000, `the mouse was served ${mouse.served} times`);
});

test('only the flooding flow is rejected of ten times too many lists, and gets wait for few of them', () => {
  const seats = 49;
  const simulation = oneLevel(['flood', 'calm'], seats);
  const list = { initialSeats: 7, finalSeats: 0, additionalMs: 0 };
  simulation.keepBusy('flood', 10 * seats, durations(4, 100), list);
  simulation.clock.advance(500);
  simulation.keepBusy('calm', 1, () => 1);
  simulation.clock.advance(3_000);
  const [flood, calm] = [simulation.outcome('flood'), simulation.outcome('calm')];
  assert.ok(flood.refused > 0);
  assert.equal(calm.refused, 0);
  // A seat is free every 14 ms or so, and may take twice a list's 50 ms to be so.
  assert.ok(calm.longestWaitMs <= 100, `a get waited ${calm.longestWaitMs} ms`);
  assert.ok(flood.seatMs > 0.9 * seats * 3_000, `seats were idle: ${flood.seatMs}`);
});

test('flows that all want more than there is get the same share, whatever they send', () => {
  const users = ['a', 'b', 'c', 'd'];
  const simulation = oneLevel(users);
  const clients = { a: 12, b: 24, c: 36, d: 48 };
  for (const [index, [user, count]] of Object.entries(clients).entries()) {
    simulation.keepBusy(user, count, durations(index));
  }
  simulation.clock.advance(15_000);
  const seatMs = users.map((user) => simulation.outcome(user).seatMs);
  const all = seatMs.reduce((sum, each) => sum + each, 0);
  assert.ok(all > 0.97 * 20 * 15_000, `seats were idle: ${all}`);
  for (const each of seatMs) assert.ok(Math.abs(each / all - 0.25) < 0.06, `${seatMs}`);
});

test('a flow controller uses the seats of another one that has no requests, and gives them back when it has', () => {
  const wants = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const both = [0, 1].map((index) => oneLevel(['user'], proportionalShare(80, wants, index)));
  const inUse = () => both.map(({ controller }) => controller.levels.get('only')!.requests.seatsInUse);
  both[0]!.keepBusy('user', 200, () => 10);
  both[0]!.clock.advance(300);
  assert.ok(inUse()[0]! >= 65, `${inUse()}`);
  both[1]!.keepBusy('user', 200, () => 10);
  for (const { clock } of [...both, ...both]) clock.advance(150);
  for (const seats of inUse()) assert.ok(seats >= 34 && seats <= 46, `${inUse()}`);
});

test('requests that wait get seats as soon as another flow controller has no more requests', () => {
  const wants = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const other = proportionalShare(80, wants, 1);
  other.want(1_000);
  const simulation = oneLevel(['user'], proportionalShare(80, wants, 0));
  simulation.keepBusy('user', 60, () => 60_000);
  const { requests } = simulation.controller.levels.get('only')!;
  simulation.clock.advance(1_000);
  assert.ok(requests.waiting > 10, `${requests.waiting} wait`);
  other.want(0);
  simulation.clock.advance(200);
  assert.equal(requests.waiting, 0);
});

test('long requests cost their flow their real duration, not the estimate', () => {
  const simulation = oneLevel(['short', 'long']);
  simulation.keepBusy('short', 40, () => 5);
  simulation.keepBusy('long', 40, () => 50);
  simulation.clock.advance(10_000);
  const [short, long] = [simulation.outcome('short'), simulation.outcome('long')];
  assert.ok(Math.abs(short.seatMs / long.seatMs - 1) < 0.15, `${short.seatMs} and ${long.seatMs}`);
});

test('a wide request is served among many narrow ones, and occupies its seats', () => {
  const simulation = oneLevel(['narrow', 'wide']);
  simulation.keepBusy('narrow', 50, durations(3));
  simulation.keepBusy('wide', 3, () => 10, { initialSeats: 8, finalSeats: 0, additionalMs: 0 });
  simulation.clock.advance(10_000);
  const wide = simulation.outcome('wide');
  assert.ok(wide.served > 100, `${wide.served}`);
  assert.ok(wide.longestWaitMs < 300, `${wide.longestWaitMs}`);
});

test('a request that is wider than its priority level runs alone', () => {
  const simulation = oneLevel(['wide', 'other'], 4);
  const estimate = { initialSeats: 9, finalSeats: 0, additionalMs: 0 };
  simulation.send('wide', 10, { estimate });
  const level = simulation.controller.levels.get('only')!.requests;
  assert.deepEqual([level.executing, level.seatsInUse], [1, 9]);
  simulation.send('other', 10);
  assert.deepEqual([level.executing, level.waiting], [1, 1]);
  simulation.clock.advance(10);
  assert.deepEqual([level.executing, level.seatsInUse, level.waiting], [1, 1, 0]);
});

test('seats of the final stage stay occupied for a while after the request', () => {
  const simulation = oneLevel(['a'], 10);
  simulation.send('a', 20, { estimate: { initialSeats: 1, finalSeats: 4, additionalMs: 5 } });
  const level = simulation.controller.levels.get('only')!.requests;
  assert.equal(level.seatsInUse, 4);
  simulation.clock.advance(20);
  assert.deepEqual([level.executing, level.seatsInUse], [0, 4]);
  simulation.clock.advance(5);
  assert.equal(level.seatsInUse, 0);
});

test('a request is rejected only when its queue is full and no seat is free', () => {
  const simulation = new Simulation(1000);
  const level = queueLevel('only', { nominalConcurrencyShares: 1 }, { queues: 1, handSize: 1, queueLengthLimit: 3 });
  simulation.controller.configure({ levels: [level], schemas: [schemaOf('only', ['a'])] });
  const { requests, current } = simulation.controller.levels.get('only')!;
  for (let request = 0; request < current + 5; request++) simulation.send('a', 10);
  assert.deepEqual([requests.executing, requests.waiting], [current, 3]);
  assert.equal(simulation.outcome('a').refused, 2);
  assert.match(simulation.registry.text(), /rejected_requests_total\{.*reason="queue-full"\} 2\n/);
});

test('a ticket is released once, however often, waiting or executing', () => {
  const simulation = oneLevel(['a'], 1);
  const { controller } = simulation;
  const request = requestOf('a');
  const start = () => controller.start(controller.classify(request), request, ONE_SEAT);
  const [running, waiting] = [start(), start()];
  assert.ok(typeof running !== 'string' && typeof waiting !== 'string');
  const decided: boolean[] = [];
  waiting.onDecided((executes) => decided.push(executes));
  waiting.release();
  waiting.release();
  running.release();
  running.release();
  const { requests } = controller.levels.get('only')!;
  assert.deepEqual(decided, [false]);
  assert.deepEqual([requests.executing, requests.waiting, requests.seatsInUse], [0, 0, 0]);
  assert.equal(requests.totals.cancelled, 1);
});

test('a priority level borrows seats that others do not use, and returns them', () => {
  const simulation = new Simulation(100);
  simulation.controller.configure({
    levels: [queueLevel('lender', { lendablePercent: 80 }), queueLevel('borrower', { lendablePercent: 80 })],
    schemas: [schemaOf('lender', ['quiet']), schemaOf('borrower', ['busy'])],
  });
  const seats = (name: string) => simulation.controller.levels.get(name)!.current;
  simulation.keepBusy('busy', 150, durations(5, 100));
  simulation.clock.advance(20_000);
  const { nominal, lower } = simulation.controller.levels.get('lender')!;
  assert.ok(seats('borrower') > 1.6 * nominal, `${seats('borrower')}`);
  assert.ok(seats('lender') >= lower && seats('lender') < 0.4 * nominal, `${seats('lender')}`);
  simulation.keepBusy('quiet', 150, durations(6, 100));
  simulation.clock.advance(30_000);
  assert.ok(Math.abs(seats('lender') - nominal) <= 2, `${seats('lender')} of ${nominal}`);
  assert.ok(Math.abs(seats('borrower') - nominal) <= 2, `${seats('borrower')} of ${nominal}`);
});

test('borrowing is limited by borrowingLimitPercent of the level', () => {
  const simulation = new Simulation(100);
  simulation.controller.configure({
    levels: [queueLevel('lender', { lendablePercent: 80 }), queueLevel('modest', { borrowingLimitPercent: 20 })],
    schemas: [schemaOf('modest', ['busy'])],
  });
  simulation.keepBusy('busy', 150, durations(7, 100));
  simulation.clock.advance(20_000);
  const { current, nominal, upper } = simulation.controller.levels.get('modest')!;
  assert.equal(upper, nominal + Math.round(nominal * 0.2));
  assert.equal(current, upper);
});

test('exempt requests are not limited, and others do not get the seats that they use', () => {
  const simulation = new Simulation(50);
  simulation.controller.configure({
    levels: [queueLevel('only', { lendablePercent: 50 })],
    schemas: [schemaOf('only', ['a'])],
  });
  simulation.keepBusy('root', 40, durations(8, 100));
  assert.equal(simulation.controller.levels.get('exempt')!.requests.executing, 40);
  simulation.clock.advance(10_000);
  const { current, lower } = simulation.controller.levels.get('only')!;
  assert.equal(current, lower);
});

test('a deleted priority level serves its waiting requests and gets no new ones', () => {
  const simulation = oneLevel(['a'], 1);
  simulation.send('a', 10);
  simulation.send('a', 10);
  simulation.controller.configure({ levels: [], schemas: [schemaOf('only', ['a'])] });
  assert.equal(simulation.controller.levels.get('only')!.quiescing, true);
  assert.equal(simulation.controller.classify(requestOf('a')).name, 'catch-all');
  simulation.clock.advance(20);
  assert.equal(simulation.outcome('a').served, 2);
  assert.equal(simulation.controller.levels.has('only'), false);
});

test('FlowSchemas are matched by precedence, then by name, without those of a missing priority level', () => {
  const simulation = new Simulation(10);
  const named = (name: string, level: string, precedence: number) => ({ ...schemaOf(level, ['*'], precedence), name });
  simulation.controller.configure({
    levels: [queueLevel('one'), queueLevel('two')],
    schemas: [named('b', 'one', 50), named('c', 'two', 50), named('a', 'missing', 1), named('d', 'two', 60)],
  });
  assert.equal(simulation.controller.classify(requestOf('x')).name, 'b');
  assert.equal(simulation.controller.classify(requestOf('root')).name, 'exempt');
});

test('queues are added at once when a priority level gets more, and removed when empty when it gets fewer', () => {
  const simulation = new Simulation(2);
  const configure = (queues: number) =>
    simulation.controller.configure({
      levels: [queueLevel('only', {}, { queues, handSize: 1, queueLengthLimit: 50 })],
      schemas: [schemaOf('only', ['a', 'b', 'c', 'd'])],
    });
  configure(2);
  const { requests } = simulation.controller.levels.get('only')!;
  configure(8);
  assert.equal(requests.queues.length, 8);
  for (const user of ['a', 'b', 'c', 'd']) simulation.keepBusy(user, 5, durations(9));
  configure(2);
  simulation.clock.advance(5000);
  assert.ok(requests.queues.length < 8);
  assert.deepEqual(
    requests.queues.map(({ index }) => index),
    requests.queues.map((_, index) => index),
  );
});

test('the debug dumps show priority levels, queues and requests in columns', () => {
  const simulation = oneLevel(['a'], 1);
  simulation.clock.advance(123);
  simulation.send('a', 10);
  simulation.send('a', 10);
  const [header, ...levels] = dumpPriorityLevels(simulation.controller).split('\n');
  assert.equal(
    header,
    'PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests',
  );
  assert.equal(
    levels[2],
    'only,              1,            false,  false,       1,               1,                 1,                  0,                0,                0',
  );
  const queues = dumpQueues(simulation.controller).split('\n').slice(1, -1);
  assert.equal(queues.length, 1024);
  assert.ok(
    queues.some((row) => /^only, +\d+, +1, .*0\.00300000ss$/.test(row)),
    queues.join('\n'),
  );
  const requests = dumpRequests(simulation.controller, true).split('\n').slice(1, -1);
  assert.equal(requests.length, 2);
  assert.ok(
    requests.some((row) =>
      /^only, +of-only, +\d+, +0, +a, +2026-01-01T00:00:00\.123Z, 1, +0, +0s, +0001-01-01T00:00:00Z, +a, +list, +\/api\/v1\/pods, +default, +, +v1, +pods, +$/.test(
        row,
      ),
    ),
    requests.join('\n'),
  );
});
