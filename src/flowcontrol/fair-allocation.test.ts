import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../base/seeded-random.ts';
import { type Claim, fairAllocation } from './fair-allocation.ts';

test('fair allocation gives each level the same part of its target without limits', () => {
  const claims = [
    { lower: 0, upper: 100, target: 10 },
    { lower: 0, upper: 100, target: 30 },
  ];
  assert.deepEqual(fairAllocation(80, claims), { seats: [20, 60], fraction: 2 });
});

test('fair allocation compensates what a limit takes or leaves with the others', () => {
  const claims = [
    { lower: 10, upper: 100, target: 10 },
    { lower: 0, upper: 25, target: 30 },
    { lower: 0, upper: 100, target: 20 },
  ];
  assert.deepEqual(fairAllocation(100, claims)!.seats.map(Math.round), [25, 25, 50]);
});

test('fair allocation fails if the limits add up to too much or too little', () => {
  assert.equal(fairAllocation(5, [{ lower: 10, upper: 20, target: 10 }]), undefined);
  assert.equal(fairAllocation(50, [{ lower: 10, upper: 20, target: 10 }]), undefined);
});

test('fair allocation of any claims has the right sum, respects limits, and treats others equally', () => {
  const seeded = new SeededRandom(11);
  const random = () => seeded.below(1e9) / 1e9;
  for (let round = 0; round < 500; round++) {
    const claims: Claim[] = Array.from({ length: 1 + Math.floor(random() * 8) }, () => {
      const lower = Math.floor(random() * 50);
      return { lower, upper: lower + Math.floor(random() * 100), target: lower + random() * 100 };
    });
    const least = claims.reduce((sum, { lower }) => sum + lower, 0);
    const most = claims.reduce((sum, { upper }) => sum + upper, 0);
    const sum = Math.round(least + random() * (most - least));
    const { seats, fraction } = fairAllocation(sum, claims)!;
    assert.ok(Math.abs(seats.reduce((total, each) => total + each, 0) - sum) < 1e-6);
    for (const [index, { lower, upper, target }] of claims.entries()) {
      const fair = Math.max(target, 0.001) * fraction;
      assert.ok(Math.abs(seats[index]! - Math.max(lower, Math.min(upper, fair))) < 1e-6);
    }
  }
});
