import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Heap } from './heap.ts';
import { SeededRandom } from './seeded-random.ts';

test('a heap of the scheduler returns its items in order', () => {
  const random = new SeededRandom(1);
  const numbers = Array.from({ length: 200 }, () => random.below(50));
  const heap = new Heap<number>((one, other) => one < other);
  for (const each of numbers) heap.add(each);
  assert.deepEqual(
    numbers.map(() => heap.take()),
    numbers.toSorted((one, other) => one - other),
  );
  assert.equal(heap.take(), undefined);
});
