import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patternSize } from './pattern-size.ts';

const sizes: readonly (readonly [pattern: string, least: number, most: number])[] = [
  ['', 0, 0],
  ['abc', 3, 3],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 5, 40],
  ['a{1000}', 1_000, 1_000],
  ['a{3,}', 4, 4],
  ['a{2,700}', 700, 700],
  ['a{,5}', 5, 5],
  ['(x{50}){20}', 1_000, 1_100],
  ['(?:(?P<name>a{10}){10}){10}', 1_000, 1_300],
  ['(x{1000}){20}', 0, 0],
  ['a{1001}', 0, 0],
  ['a{3}(b{400}|c)d{3}', 400, 420],
  ['(?i)a{10}', 10, 10],
  ['[\\]{1000}[:alpha:]{9}]{5}', 5, 20],
  ['[]{1000}]', 1, 6],
  ['\\Qa{1000}(\\E', 8, 8],
  ['\\(a\\){10}', 12, 12],
  ['\\pL{1000}', 1_000, 1_100],
  ['a|bb|ccc', 8, 8],
  ['a)))b', 2, 2],
  ['((((', 8, 8],
];
for (const [pattern, least, most] of sizes) {
  test(`the size of the pattern "${pattern}" is estimated before it is compiled`, () => {
    const size = patternSize(pattern, 1_000_000);
    assert.ok(size >= least && size <= most, `${size}`);
  });
}

test('the estimate of the size of a pattern ends when it is too large', () => {
  assert.ok(patternSize('a{1000}'.repeat(1_000), 10_000) > 10_000);
  const many = patternSize('a'.repeat(1_000_000), 10_000);
  assert.ok(many > 10_000 && many < 10_010, `${many}`);
});
