import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { Wakes } from './wakes.ts';

test('timers of simulated nodes fire in the order of their times, and replaced ones never', () => {
  const clock = new ManualClock(0);
  const wakes = new Wakes(clock);
  const random = new SeededRandom(1);
  const expected = new Map<string, number>();
  const rung: [string, number][] = [];
  for (let round = 0; round < 500; round++) {
    const [key, atMs] = [`k${random.below(100)}`, 1 + random.below(1000)];
    wakes.set(key, atMs, () => rung.push([key, clock.now()]));
    expected.set(key, atMs);
  }
  wakes.cancel('k1');
  expected.delete('k1');
  clock.advance(2000);
  assert.deepEqual(new Map(rung), expected);
  assert.equal(rung.length, expected.size);
  assert.deepEqual(
    rung.map(([, atMs]) => atMs),
    [...expected.values()].sort((one, other) => one - other),
  );
});

test('a timer of simulated nodes may set the next one of its key', () => {
  const clock = new ManualClock(0);
  const wakes = new Wakes(clock);
  const times: number[] = [];
  const again = () => {
    times.push(clock.now());
    wakes.set('lease', clock.now() + 10, again);
  };
  wakes.set('lease', 10, again);
  clock.advance(35);
  wakes.close();
  clock.advance(100);
  assert.deepEqual(times, [10, 20, 30]);
});
