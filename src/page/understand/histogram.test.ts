import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketGrowth, bucketsOf, growth, quantile } from './histogram.ts';
import { parseMetrics } from './metrics-text.ts';

test('counters increase by their difference, new ones and those after a restart by their value', () => {
  const before = new Map([
    ['a', 10],
    ['b', 50],
  ]);
  const after = new Map([
    ['a', 12],
    ['b', 3],
    ['c', 4],
  ]);
  assert.deepEqual(Object.fromEntries(growth(before, after)), { a: 2, b: 3, c: 4 });
  assert.equal(growth(undefined, after).size, 0);
});

test('buckets of several histogram series are added up, in the order of their bounds', () => {
  const text =
    'h_bucket{v="1",le="+Inf"} 4\nh_bucket{v="1",le="0.1"} 1\nh_bucket{v="2",le="0.1"} 2\nh_bucket{v="2",le="+Inf"} 2\n';
  assert.deepEqual(bucketsOf(parseMetrics(text, () => true).get('h_bucket')), [
    [0.1, 3],
    [Number.POSITIVE_INFINITY, 6],
  ]);
});

test('buckets of a histogram increase by their difference, and by their value after a restart', () => {
  const before = [
    [1, 5],
    [2, 9],
  ] as const;
  assert.deepEqual(
    bucketGrowth(before, [
      [1, 6],
      [2, 12],
    ]),
    [
      [1, 1],
      [2, 3],
    ],
  );
  const anew = [
    [1, 1],
    [2, 2],
  ] as const;
  assert.deepEqual(bucketGrowth(before, anew), anew);
  assert.deepEqual(bucketGrowth(undefined, anew), anew);
});

test('quantiles of a histogram are interpolated in their bucket, and at the start of the last one', () => {
  const buckets = [
    [1, 2],
    [2, 4],
    [4, 8],
    [Number.POSITIVE_INFINITY, 10],
  ] as const;
  assert.equal(quantile(0.5, buckets), 2.5);
  assert.equal(quantile(0.1, buckets), 0.5);
  assert.equal(quantile(0.2, buckets), 1);
  assert.equal(quantile(0.99, buckets), 4);
  assert.equal(quantile(0.5, [[Number.POSITIVE_INFINITY, 0]]), undefined);
  assert.equal(quantile(0.5, []), undefined);
});
