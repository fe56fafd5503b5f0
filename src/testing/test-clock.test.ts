import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { TestClock } from './test-clock.ts';

test('the test clock follows the other clock, and can be advanced', () => {
  const real = new ManualClock(1000);
  const clock = new TestClock(real);
  real.advance(500);
  assert.equal(clock.now(), 1500);
  clock.advance('1h');
  assert.equal(clock.now(), 3_601_500);
  real.advance(1);
  assert.equal(clock.now(), 3_601_501);
  assert.throws(() => clock.advance(-1), RangeError);
});

test('timers that are due during an advance of the test clock run once at their own time', () => {
  const real = new ManualClock(0);
  const clock = new TestClock(real);
  const ran: [string, number][] = [];
  const run = (name: string) => () => ran.push([name, clock.now()]);
  clock.after(2000, run('late'));
  clock.after(1000, () => {
    run('early')();
    clock.after(500, run('set meanwhile'));
  });
  clock.after(10_000, run('rest'));
  const cancelled = clock.after(1200, run('cancelled'));
  cancelled.cancel();
  clock.advance(3000);
  assert.deepEqual(ran, [
    ['early', 1000],
    ['set meanwhile', 1500],
    ['late', 2000],
  ]);
  real.advance(6999);
  assert.equal(ran.length, 3);
  real.advance(1);
  assert.deepEqual(ran.at(-1), ['rest', 10_000]);
});
