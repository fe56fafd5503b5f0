import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../base/limits.ts';
import { warningHeaders } from './warnings.ts';

test('each warning is sent once', () => {
  assert.deepEqual(warningHeaders(['a', 'b "c"', 'a']), ['299 - "a"', '299 - "b \\"c\\""']);
});

test('warnings that are empty or have control characters are left out', () => {
  assert.deepEqual(warningHeaders(['', 'a\nb', 'c\u0085', 'd']), ['299 - "d"']);
});

test('warnings beyond the total limit are truncated, and those past it left out', () => {
  const long = Array.from({ length: 30 }, (_, index) => `${index}${'x'.repeat(400)}`);
  const headers = warningHeaders(long);
  assert.equal(headers.length, limits.warningsTotalCharacters / limits.warningCharacters);
  for (const header of headers) assert.equal(header.length, limits.warningCharacters + '299 - ""'.length);
  assert.deepEqual(warningHeaders(['y'.repeat(1_000)]), [`299 - "${'y'.repeat(1_000)}"`]);
});

test('warnings up to the total limit are sent whole, and the last one may exceed it', () => {
  const texts = Array.from({ length: 30 }, (_, index) => `${String(index).padStart(2, '0')}${'x'.repeat(198)}`);
  assert.equal(warningHeaders(texts).length, Math.ceil(limits.warningsTotalCharacters / 200));
  // All that was told before the bound was passed is told again, cut.
  const many = Array.from({ length: 21 }, (_, index) => `${String(index).padStart(2, '0')}${'y'.repeat(198)}`);
  assert.equal(warningHeaders(many).length, 21);
});
