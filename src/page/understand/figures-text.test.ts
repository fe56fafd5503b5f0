import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText, rateText, sizeText } from './figures-text.ts';

test('durations are formatted in a suitable unit', () => {
  assert.deepEqual([0.0000123, 0.0015, 0.25, 1, 75, undefined].map(durationText), [
    ...['12.3 µs', '1.5 ms', '250 ms', '1 s', '75 s', '–'],
  ]);
});

test('sizes are formatted in powers of 1024', () => {
  assert.deepEqual([0, 1023, 1536, 67_108_864, 5 * 2 ** 50].map(sizeText), [
    ...['0 B', '1,023 B', '1.5 KiB', '64 MiB', '5,120 TiB'],
  ]);
});

test('rates are formatted with few digits', () => {
  assert.deepEqual([0, 0.333333, 12.34, 1234.5].map(rateText), ['0', '0.33', '12.3', '1,235']);
});
