import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from './seeded-random.ts';
import { compareKeys, keyAfter, keyAfterPrefix, SortedMap } from './sorted-map.ts';

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Characters whose order differs between UTF-16 units and UTF-8 bytes, and some for which it does not. */
const CHARACTERS = ['a', 'b', 'z', '/', '-', '\u00e9', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'];

function randomKey(random: SeededRandom): string {
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(CHARACTERS)).join('');
}

test('keys of a sorted map are compared by their UTF-8 bytes', () => {
  const random = new SeededRandom(1);
  for (let round = 0; round < 5000; round++) {
    const [one, other] = [randomKey(random), randomKey(random)];
    assert.equal(Math.sign(compareKeys(one, other)), byBytes(one, other), JSON.stringify([one, other]));
  }
  assert.ok(compareKeys('\u{10000}', '\uffff') > 0);
  assert.ok(compareKeys('\uffff', '\u{10000}') < 0);
});

test('a sorted map agrees with a plain map after any writes, and older maps stay unchanged', () => {
  for (const seed of [1, 2, 3]) {
    const random = new SeededRandom(seed);
    const model = new Map<string, number>();
    let map = SortedMap.empty<number>();
    const kept: { map: SortedMap<number>; entries: [string, number][] }[] = [];
    // The share of deletions changes, so that the tree grows and shrinks through all its heights.
    for (let step = 0; step < 9000; step++) {
      const key = randomKey(random);
      if (random.chance(step % 3000 < 1700 ? 15 : 85)) {
        // Most random keys are not there: then take one that is, or none.
        const present = model.has(key) ? key : map.entries({ from: key }).next().value?.[0];
        const without = map.delete(present ?? key);
        assert.equal(without === map, present === undefined);
        map = without;
        model.delete(present ?? key);
      } else {
        map = map.set(key, step);
        model.set(key, step);
      }
      assert.equal(map.size, model.size);
      if (step % 600 === 0) kept.push({ map, entries: sorted(model) });
    }
    kept.push({ map, entries: sorted(model) });
    for (const { map: older, entries } of kept) {
      assert.deepEqual([...older.entries()], entries);
      assert.equal(older.size, entries.length);
    }
    for (const [key, value] of model) assert.equal(map.get(key), value);
  }
});

test('a sorted map of several levels stays consistent while ranges are emptied and filled again', () => {
  const random = new SeededRandom(2);
  const model = new Map<string, number>();
  let map = SortedMap.empty<number>();
  for (let round = 0; round < 300; round++) {
    const start = random.below(6000);
    const length = 1 + random.below(1000);
    const isFilling = random.chance(50);
    for (let step = 0; step < 500; step++) {
      const key = String(start + random.below(length)).padStart(5, '0');
      map = isFilling ? map.set(key, round) : map.delete(key);
      if (isFilling) model.set(key, round);
      else model.delete(key);
    }
    // A key that can't be found any more would be added a second time.
    assert.equal(map.size, model.size, `round ${round}`);
  }
  assert.deepEqual([...map.entries()], sorted(model));
  for (const [key, value] of model) assert.equal(map.get(key), value);
});

test('a sorted map can be emptied', () => {
  const keys = Array.from({ length: 700 }, (_, index) => String(index).padStart(4, '0'));
  for (const order of [keys, keys.toReversed()]) {
    let map = SortedMap.fromSorted(keys, keys);
    for (const key of order) map = map.delete(key);
    assert.equal(map.size, 0);
    assert.deepEqual([...map.values()], []);
    assert.equal(map.set('x', 'y').get('x'), 'y');
  }
});

test('ranges of a sorted map iterate and count the keys from one bound up to the other', () => {
  const random = new SeededRandom(5);
  const model = new Map(Array.from({ length: 800 }, (_, index) => [randomKey(random), index]));
  const entries = sorted(model);
  const map = SortedMap.fromSorted(
    entries.map(([key]) => key),
    entries.map(([, value]) => value),
  );
  for (let round = 0; round < 500; round++) {
    const from = random.chance(20) ? undefined : randomKey(random);
    const before = random.chance(20) ? undefined : randomKey(random);
    const expected = entries.filter(
      ([key]) => (from === undefined || byBytes(key, from) >= 0) && (before === undefined || byBytes(key, before) < 0),
    );
    assert.deepEqual([...map.entries({ from, before })], expected);
    assert.deepEqual(
      [...map.values({ from, before })],
      expected.map(([, value]) => value),
    );
    assert.deepEqual(
      [...map.values({ from, before }, (value) => value % 3 === 0)],
      expected.map(([, value]) => value).filter((value) => value % 3 === 0),
    );
    assert.equal(map.count({ from, before }), expected.length);
  }
});

test('fromSorted makes sorted maps of every size that can be read and written', () => {
  for (let size = 0; size < 1300; size += size < 70 ? 1 : 97) {
    const keys = Array.from({ length: size }, (_, index) => String(index).padStart(5, '0'));
    let map = SortedMap.fromSorted(keys, keys);
    assert.equal(map.size, size);
    assert.deepEqual([...map.values()], keys);
    for (const key of keys) assert.equal(map.get(key), key);
    for (const key of keys.filter((_, index) => index % 3 > 0)) map = map.delete(key);
    assert.deepEqual(
      [...map.values()],
      keys.filter((_, index) => index % 3 === 0),
    );
  }
});

test('fromSorted rejects unsorted and duplicate keys', () => {
  assert.throws(() => SortedMap.fromSorted(['b', 'a'], [1, 2]), RangeError);
  assert.throws(() => SortedMap.fromSorted(['a', 'a'], [1, 2]), RangeError);
  assert.throws(() => SortedMap.fromSorted(['\u{10000}', '\uffff'], [1, 2]), RangeError);
});

test('keyAfter and keyAfterPrefix are the next bounds after a key and a prefix', () => {
  const keys = ['a', 'a/', 'a/\0', 'a/x', 'a/\u{10ffff}', 'a0', 'b'];
  const map = SortedMap.fromSorted(keys, keys);
  assert.deepEqual([...map.values({ from: 'a/', before: keyAfterPrefix('a/') })], keys.slice(1, 5));
  assert.deepEqual([...map.values({ from: keyAfter('a/') })], keys.slice(2));
});

function sorted(model: Map<string, number>): [string, number][] {
  return [...model].sort(([one], [other]) => byBytes(one, other));
}
