import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from './seeded-random.ts';

test('a seeded random generator repeats its sequence for a seed, and has another one for another seed', () => {
  const sequence = (seed: number) => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 20 }, () => random.below(1000));
  };
  assert.deepEqual(sequence(7), sequence(7));
  assert.notDeepEqual(sequence(7), sequence(8));
});

test('a seeded random generator gives every number of a range about equally often', () => {
  const random = new SeededRandom(1);
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 6000; draw++) {
    const number = random.below(6);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  assert.deepEqual([...counts.keys()].sort(), [0, 1, 2, 3, 4, 5]);
  for (const count of counts.values()) assert.ok(count > 850 && count < 1150, `${count} of 6000`);
});

test('a seeded random generator gives UUIDs of version 4', () => {
  const random = new SeededRandom(1);
  const uuid = random.uuid();
  assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(random.uuid(), uuid);
});
