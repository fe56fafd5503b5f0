import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { NativeHistogram } from './native-histogram.ts';

function counted(...values: number[]) {
  const histogram = new NativeHistogram();
  for (const value of values) histogram.observe(value);
  return histogram.counts();
}

test('a native histogram has eight buckets for each power of two, which include their upper bounds', () => {
  const indices: [value: number, index: number][] = [
    [1, 0],
    [0.5, -8],
    [2, 8],
    [1.0905077326652577, 1],
    [1.0905077326652579, 2],
    [0.005, -61],
    [1e-9, -239],
    [Number.MAX_VALUE, 8192],
    [Number.POSITIVE_INFINITY, 8193],
  ];
  for (const [value, index] of indices) assert.deepEqual(counted(value).positive, [[index, 1]], String(value));
});

test('a native histogram counts values next to zero together, negative ones apart, and NaN not at all', () => {
  assert.deepEqual(counted(0, 2 ** -128, -0, -2, Number.NaN), {
    schema: 3,
    zeroCount: 3,
    positive: [],
    negative: [[8, 1]],
  });
});

test('the buckets of a native histogram become wider when there are too many', () => {
  const values = Array.from({ length: limits.nativeHistogramBuckets + 1 }, (_, index) => 2 ** ((index - 0.5) / 8));
  assert.equal(counted(...values.slice(1)).schema, 3);
  const { schema, positive } = counted(...values);
  assert.equal(schema, 2);
  assert.deepEqual(positive.slice(0, 3), [
    [0, 1],
    [1, 2],
    [2, 2],
  ]);
  const far = Array.from({ length: 400 }, (_, index) => 2 ** (5 * (index - 100) + 1));
  assert.equal(counted(...far).positive.length <= limits.nativeHistogramBuckets, true);
});

test('a native histogram that adds another has what both counted, in the wider buckets of the two', () => {
  const values = Array.from({ length: limits.nativeHistogramBuckets + 1 }, (_, index) => 2 ** ((index - 0.5) / 8));
  for (const [first, second] of [
    [values, [1.5, -3, 0]],
    [[1.5, -3, 0], values],
  ] as const) {
    const histogram = new NativeHistogram();
    histogram.add(counted(...first));
    histogram.add(counted(...second));
    assert.deepEqual(histogram.counts(), counted(...values, 1.5, -3, 0));
  }
});
