import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ArrayList } from './array-list.ts';
import { concatenate } from './concatenation.ts';
import { equal } from './equality.ts';
import { HashMap } from './map.ts';
import { Double, type ListValue, Uint } from './value.ts';

describe('a CEL map', () => {
  it('a CEL map finds a number by its value, whatever its type', () => {
    const map = HashMap.of([
      [1, 'one'],
      [2n ** 60n, 'many'],
      ['1', 'text'],
      [true, 'yes'],
    ]);
    for (const key of [1, new Uint(1), new Double(1)]) assert.equal(map.get(key), 'one');
    assert.equal(map.get(new Double(2 ** 60)), 'many');
    assert.equal(map.get('1'), 'text');
    assert.equal(map.get(true), 'yes');
    for (const key of [new Double(1.5), new Double(Number.NaN), null, 'true', new ArrayList([])]) {
      assert.equal(map.get(key), undefined);
    }
  });

  it('a CEL map equals another map with equal keys and values', () => {
    assert.ok(equal(HashMap.of([[1, 2]]), HashMap.of([[new Uint(1), new Double(2)]])));
    assert.ok(!equal(HashMap.of([[1, 2]]), HashMap.of([[2, 2]])));
  });
});

describe('CEL lists', () => {
  it('CEL lists are concatenated without being copied', () => {
    const list = (...items: number[]) => new ArrayList(items);
    const joined = concatenate(concatenate(list(1, 2), list(3)), concatenate(list(4), list(5, 6)));
    assert.deepEqual(
      Array.from({ length: joined.size }, (_, i) => joined.at(i)),
      [1, 2, 3, 4, 5, 6],
    );
    assert.equal(concatenate(list(), joined), joined);
  });

  it('CEL lists can be concatenated with themselves beyond the size of memory', () => {
    let list: ListValue = new ArrayList([1, 2]);
    for (let i = 0; i < 40; i++) list = concatenate(list, list);
    assert.equal(list.size, 2 ** 41);
    assert.equal(list.at(2 ** 41 - 1), 2);
  });
});

describe('equality of CEL values', () => {
  it('equality of CEL values distinguishes types, except numbers', () => {
    assert.ok(equal(1, new Uint(1)) && equal(new Uint(1), new Double(1)));
    assert.ok(!equal('1', 1) && !equal(null, false) && !equal(new Double(Number.NaN), new Double(Number.NaN)));
    assert.ok(equal(new Uint8Array([1]), new Uint8Array([1])) && !equal(new Uint8Array([1]), 'a'));
    assert.ok(!equal(new ArrayList([new Double(Number.NaN)]), new ArrayList([new Double(Number.NaN)])));
  });
});
