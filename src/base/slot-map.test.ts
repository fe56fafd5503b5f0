import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SlotMap } from './slot-map.ts';

function mapOf(...keys: number[]): SlotMap<{ key: number }> {
  const map = new SlotMap<{ key: number }>();
  for (const key of keys) map.set(key, { key });
  return map;
}

const keys = (map: SlotMap<{ key: number }>) => [...map.values()].map(({ key }) => key);

suite('a map of slots', () => {
  test('finds what it holds, in the order it came, whatever went in between', () => {
    const map = mapOf(7, 3, 5);
    assert.equal(map.delete(3), true);
    map.set(1, { key: 1 });
    assert.deepEqual([keys(map), map.size, map.get(5), map.get(3)], [[7, 5, 1], 3, { key: 5 }, undefined]);
  });

  test('replaces what has the same number', () => {
    const map = mapOf(7, 3);
    map.set(7, { key: 70 });
    assert.deepEqual([keys(map), map.size], [[70, 3], 2]);
  });

  test('knows what it does not hold', () => {
    const map = mapOf(7);
    assert.deepEqual([map.delete(3), map.delete(7), map.delete(7), map.size], [false, true, false, 0]);
  });

  test('may change while it is looked through', () => {
    const map = mapOf(1, 2, 3);
    const seen: number[] = [];
    for (const { key } of map.values()) {
      seen.push(key);
      map.delete(key);
      map.delete(2);
    }
    assert.deepEqual([seen, map.size], [[1, 3], 0]);
  });
});
