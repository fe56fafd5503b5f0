import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexRanges } from './index-ranges.ts';

test('completed indexes are formatted as ranges, two neighbors as two indexes', () => {
  const cases: [indexes: number[], text: string][] = [
    [[], ''],
    [[3], '3'],
    [[4, 3], '3,4'],
    [[1, 2, 3, 7, 5], '1-3,5,7'],
  ];
  for (const [indexes, text] of cases) {
    assert.equal(IndexRanges.of(indexes).toString(), text);
    assert.equal(IndexRanges.parse(text, 100).toString(), text);
  }
});

test('indexes beyond the number of completions, and invalid ranges, are ignored', () => {
  const ranges = IndexRanges.parse('0-2,x,4-9,12', 6);
  assert.equal(ranges.toString(), '0-2,4,5');
  assert.equal(ranges.size, 5);
  assert.deepEqual([ranges.has(3), ranges.has(4)], [false, true]);
});

test('the first missing indexes are those that pods are created for', () => {
  assert.deepEqual(IndexRanges.of([0, 2, 3]).missing(3, 6), [1, 4, 5]);
  assert.deepEqual(IndexRanges.of([0, 2, 3]).missing(1, 6), [1]);
  assert.deepEqual(IndexRanges.of([]).missing(5, 2), [0, 1]);
});
