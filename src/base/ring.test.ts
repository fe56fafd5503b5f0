import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ring } from './ring.ts';
import { SeededRandom } from './seeded-random.ts';

test('an empty ring has no items', () => {
  const ring = new Ring<string>();
  assert.equal(ring.drop(), undefined);
  assert.equal(ring.at(0), undefined);
  assert.equal(
    ring.after(5, () => 0),
    0,
  );
  assert.deepEqual([ring.first, ring.end, ring.length], [0, 0, 0]);
});

test('items of a ring keep their sequence numbers while it grows, wraps and shrinks', () => {
  const random = new SeededRandom(3);
  const ring = new Ring<{ sequence: number }>();
  let first = 0;
  let end = 0;
  for (let round = 0; round < 200; round++) {
    for (let count = random.below(60); count > 0; count--) ring.push({ sequence: end++ });
    for (let count = random.below(60); count > 0; count--) {
      assert.equal(ring.drop()?.sequence, first < end ? first++ : undefined);
    }
    assert.deepEqual([ring.first, ring.end, ring.length], [first, end, end - first]);
    for (let sequence = first; sequence < end; sequence++) assert.equal(ring.at(sequence)?.sequence, sequence);
    assert.equal(ring.at(first - 1), undefined);
    assert.equal(ring.at(end), undefined);
  }
});

test('after() finds the first item of a greater rank in a ring', () => {
  const ring = new Ring<number>();
  for (const rank of [1, 2, 10, 20, 20, 30]) ring.push(rank);
  ring.drop();
  const after = (rank: number) => ring.after(rank, (item) => item);
  assert.deepEqual([0, 2, 9, 10, 20, 29, 30, 99].map(after), [1, 2, 2, 3, 5, 5, 6, 6]);
});
