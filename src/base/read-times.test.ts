import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadTimes } from './read-times.ts';

/** An event loop whose rounds a test plays: it reads, then runs what waits for the next round. */
function loop() {
  let nowMs = 1_000;
  let waiting: (() => void)[] = [];
  const times = new ReadTimes({ now: () => nowMs, nextRound: (run) => waiting.push(run) });
  return {
    times,
    work(ms: number): void {
      times.worked();
      nowMs += ms;
    },
    idle: (ms: number) => (nowMs += ms),
    endRound(): void {
      const due = waiting;
      waiting = [];
      for (const run of due) run();
    },
    isFollowed: () => waiting.length > 0,
  };
}

test('a request that an idle event loop reads has not waited', () => {
  const { times, work, endRound, idle } = loop();
  assert.equal(times.waitedMs(), 0);
  work(5);
  endRound();
  endRound();
  idle(10_000);
  assert.equal(times.waitedMs(), 0);
});

test('requests read together have waited for those before them', () => {
  const { times, work } = loop();
  assert.equal(times.waitedMs(), 0);
  work(30);
  assert.equal(times.waitedMs(), 30);
  work(20);
  assert.equal(times.waitedMs(), 50);
});

test('a request read right after a long turn has waited for half of it, on average', () => {
  const { times, work, endRound } = loop();
  times.waitedMs();
  work(300);
  endRound();
  assert.equal(times.waitedMs(), 150);
  work(10);
  assert.equal(times.waitedMs(), 160);
});

test('a request read after work that no request began has waited, too', () => {
  const { times, work, endRound } = loop();
  work(300);
  assert.equal(times.waitedMs(), 150);
  work(40);
  endRound();
  assert.equal(times.waitedMs(), 20);
});

test('an event loop without work is not followed', () => {
  const { work, endRound, isFollowed } = loop();
  work(1);
  assert.equal(isFollowed(), true);
  endRound();
  endRound();
  assert.equal(isFollowed(), false);
});

test('a clock that is set back shortens no wait below zero', () => {
  const { times, idle } = loop();
  times.waitedMs();
  idle(-500);
  assert.equal(times.waitedMs(), 0);
});
