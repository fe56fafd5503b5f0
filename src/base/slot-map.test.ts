import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { partLeft } from '../../test/collected.ts';
import { SeededRandom } from './seeded-random.ts';
import { SlotMap } from './slot-map.ts';

function mapOf(...keys: number[]): SlotMap<{ key: number }> {
  const map = new SlotMap<{ key: number }>();
  for (const key of keys) map.set(key, { key });
  return map;
}

const keys = (map: SlotMap<{ key: number }>) => [...map.values()].map(({ key }) => key);

suite('a slot map', () => {
  test('a slot map finds its items by number, whatever was removed', () => {
    const map = mapOf(7, 3, 5);
    assert.equal(map.delete(3), true);
    map.set(1, { key: 1 });
    assert.deepEqual([keys(map), map.size, map.get(5), map.get(3)], [[1, 5, 7], 3, { key: 5 }, undefined]);
  });

  test('a slot map replaces the item with the same number', () => {
    const map = mapOf(7, 3);
    map.set(7, { key: 70 });
    assert.deepEqual([keys(map), map.size], [[3, 70], 2]);
  });

  test('a slot map ignores a removal of an absent item', () => {
    const map = mapOf(7);
    assert.deepEqual([map.delete(3), map.delete(7), map.delete(7), map.size], [false, true, false, 0]);
  });

  test('a slot map may change while it is iterated', () => {
    const map = mapOf(1, 2, 3);
    const seen: number[] = [];
    for (const { key } of map.values()) {
      seen.push(key);
      map.delete(key);
      map.delete(2);
    }
    assert.deepEqual([seen, map.size], [[1, 3], 0]);
  });

  test('a slot map finds its items after many additions and removals', () => {
    const random = new SeededRandom(7);
    const [map, twin] = [new SlotMap<{ key: number }>(), new Map<number, { key: number }>()];
    let last = 2 ** 33;
    for (let round = 0; round < 5000; round++) {
      last += 1 + random.below(3);
      for (const each of [map, twin]) each.set(last, { key: last });
      const most = 1 + random.below(100);
      while (twin.size > most) {
        const gone = random.pick([...twin.keys()]);
        assert.deepEqual([map.delete(gone), twin.delete(gone)], [true, true]);
      }
      assert.deepEqual(keys(map), [...twin.keys()]);
      assert.equal(map.size, twin.size);
    }
  });

  test('a slot map leaves removed items to minor garbage collections, even when it is old', () => {
    const map = new SlotMap();
    const left = partLeft((round, ballast) => {
      map.set(round, ballast);
      return () => map.delete(round);
    });
    assert.ok(left < 0.3, `${left} of it is left`);
  });
});
