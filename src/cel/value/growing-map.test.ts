import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EvaluationError } from './evaluation-error.ts';
import { GrowingMap } from './growing-map.ts';
import { HashMap } from './map.ts';
import { Double, Uint, type Value } from './value.ts';

function entries(map: GrowingMap): [Value, Value | undefined][] {
  return map.keys().map((key) => [key, map.get(key)]);
}

test('a growing map keeps its entries, whatever is added to copies of it', () => {
  const empty = GrowingMap.from(new HashMap());
  const one = empty.with('a', 1);
  const two = one.with('b', 2);
  const other = one.with('c', 3);
  assert.deepEqual(entries(empty), []);
  assert.deepEqual(entries(one), [['a', 1]]);
  assert.deepEqual(entries(two), [
    ['a', 1],
    ['b', 2],
  ]);
  assert.deepEqual(entries(other), [
    ['a', 1],
    ['c', 3],
  ]);
  assert.equal(one.get('b'), undefined);
  assert.equal(two.get('c'), undefined);
  assert.deepEqual([empty.size, one.size, two.size, other.size], [0, 1, 2, 2]);
});

test('a growing map has each key once, and equal numbers are one key', () => {
  const map = GrowingMap.from(HashMap.of([[1, 'one']]));
  assert.equal(map.get(new Double(1)), 'one');
  for (const key of [1, new Uint(1), new Double(1)]) {
    assert.throws(
      () => map.with(key, 'again'),
      (error) => error instanceof EvaluationError && error.message === 'insert failed: key 1 already exists',
    );
  }
});

test('a growing map takes constant time for each entry', () => {
  let map = GrowingMap.from(new HashMap());
  for (let key = 0; key < 100_000; key++) {
    map = map.with(key, key);
  }
  assert.equal(map.size, 100_000);
});
