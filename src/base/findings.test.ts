import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { joined, NONE, ofItems, ofMembers } from './findings.ts';

describe('lists of findings', () => {
  test('lists of findings are joined in order', () => {
    assert.deepEqual(joined([1], NONE, [2, 3], [4]), [1, 2, 3, 4]);
    assert.deepEqual(joined(NONE, [1, 2]), [1, 2]);
    assert.equal(joined(NONE, []), NONE);
  });

  test('joining lists of findings changes none of them', () => {
    const first = [1];
    joined(first, [2], [3]);
    assert.deepEqual(first, [1]);
  });

  test('lists of findings of items have indexes, and an absent list has none', () => {
    assert.deepEqual(
      ofItems(['a', '', 'b'], (item, index) => (item === '' ? NONE : [`${index}${item}`, item])),
      ['0a', 'a', '2b', 'b'],
    );
    assert.equal(
      ofItems(undefined, () => [1]),
      NONE,
    );
  });

  test('lists of findings of members are in the order of their keys', () => {
    assert.deepEqual(
      ofMembers({ c: 1, a: 0, b: 2 }, (key, member) => (member > 0 ? [key] : NONE)),
      ['b', 'c'],
    );
    assert.equal(
      ofMembers({ b: 0 }, () => NONE),
      NONE,
    );
  });
});
