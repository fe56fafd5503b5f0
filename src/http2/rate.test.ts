import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rate } from './rate.ts';

function rate(burst: number, perSecond: number) {
  let nowMs = 1_000_000;
  const measured = new Rate(burst, perSecond, () => nowMs);
  return {
    /** How many of so many are allowed, so many milliseconds later. */
    after(ms: number, times: number): number {
      nowMs += ms;
      return Array.from({ length: times }, () => measured.allows()).filter(Boolean).length;
    },
  };
}

test('a burst is allowed, and nothing after it at the same time', () => {
  assert.equal(rate(5, 2).after(0, 10), 5);
});

test('after a burst so many are allowed each second', () => {
  const { after } = rate(5, 2);
  after(0, 5);
  assert.deepEqual([after(499, 10), after(1, 10), after(2000, 10)], [0, 1, 4]);
});

test('what is not used adds up to a burst and no further', () => {
  const { after } = rate(5, 2);
  after(0, 5);
  assert.equal(after(3_600_000, 100), 5);
});

test('parts of a time are not lost', () => {
  const { after } = rate(1, 1);
  after(0, 1);
  const allowed = Array.from({ length: 80 }, () => after(125, 1));
  assert.equal(
    allowed.reduce((sum, each) => sum + each),
    10,
  );
});

test('a clock that is set back takes nothing away', () => {
  const { after } = rate(2, 1);
  after(0, 2);
  after(-3_600_000, 1);
  assert.equal(after(1000, 2), 1);
});

test('events may cost several, and more may be earned up to the burst', () => {
  const measured = new Rate(10, 0, () => 0);
  assert.deepEqual([measured.allows(8), measured.allows(3), measured.allows(2)], [true, false, true]);
  measured.earns(100);
  assert.deepEqual([measured.allows(10), measured.allows()], [true, false]);
});
