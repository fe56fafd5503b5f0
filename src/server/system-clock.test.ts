import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryObjects } from 'node:v8';
import { SystemRandom, systemClock } from './system-clock.ts';

test('UUIDs are of version 4 and all different', () => {
  const random = new SystemRandom();
  const made = Array.from({ length: 1000 }, () => random.uuid());
  for (const uuid of made) assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(made).size, made.length);
});

test('every digit of a UUID that is not fixed is random', () => {
  const random = new SystemRandom();
  const digits = Array.from({ length: 36 }, () => new Set<string>());
  for (let at = 0; at < 1000; at++) {
    for (const [place, digit] of [...random.uuid()].entries()) digits[place]!.add(digit);
  }
  const counts = digits.map((seen) => seen.size);
  const fixed = [8, 13, 14, 18, 23];
  const expected = counts.map((_, place) => (fixed.includes(place) ? 1 : place === 19 ? 4 : 16));
  assert.deepEqual(counts, expected);
});

/** Node's list of the timers of one duration. */
function timerListType(): new () => unknown {
  const timer = setTimeout(() => {}, 2 ** 30) as unknown as { _idlePrev: { constructor: new () => unknown } };
  const { constructor: type } = timer._idlePrev;
  clearTimeout(timer as unknown as NodeJS.Timeout);
  return type;
}

test('cancelled timers of different durations leave nothing in memory', () => {
  const lists = timerListType();
  const before = queryObjects(lists, { format: 'count' });
  for (let ms = 0; ms < 1_000; ms++) systemClock.after(3_600_000 + ms, () => {}).cancel();
  assert.equal(queryObjects(lists, { format: 'count' }), before);
});
