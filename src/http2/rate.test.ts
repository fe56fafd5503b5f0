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

test('a rate allows a burst, and nothing after it at the same time', () => {
  assert.equal(rate(5, 2).after(0, 10), 5);
});

test('a rate allows its number of events each second after a burst', () => {
  const { after } = rate(5, 2);
  after(0, 5);
  assert.deepEqual([after(499, 10), after(1, 10), after(2000, 10)], [0, 1, 4]);
});

test('unused events of a rate add up to one burst', () => {
  const { after } = rate(5, 2);
  after(0, 5);
  assert.equal(after(3_600_000, 100), 5);
});

test('fractions of time count toward a rate', () => {
  const { after } = rate(1, 1);
  after(0, 1);
  const allowed = Array.from({ length: 80 }, () => after(125, 1));
  assert.equal(
    allowed.reduce((sum, each) => sum + each),
    10,
  );
});

test('a clock that is set back reduces no rate', () => {
  const { after } = rate(2, 1);
  after(0, 2);
  after(-3_600_000, 1);
  assert.equal(after(1000, 2), 1);
});

test('an event may cost several of a rate, and more may be earned up to the burst', () => {
  const measured = new Rate(10, 0, () => 0);
  assert.deepEqual([measured.allows(8), measured.allows(3), measured.allows(2)], [true, false, true]);
  measured.earns(100);
  assert.deepEqual([measured.allows(10), measured.allows()], [true, false]);
});
