import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasBadEscape, percentDecoded, queryDecoded } from './percent-escapes.ts';

const DECODED: readonly (readonly [string, string | undefined])[] = [
  ['', ''],
  ['a%2Fb', 'a/b'],
  ['%c3%A9', '\u00e9'],
  ['%EF%BB%BFa', '\ufeffa'],
  ['%ff', '\ufffd'],
  ['a%c3b', 'a\ufffdb'],
  // A byte that came without an escape belongs to no run of escapes.
  ['%c3\u00a9', '\ufffd\u00a9'],
  ['\u00c3%a9', '\u00c3\ufffd'],
  ['%e2%82x%ac', '\ufffdx\ufffd'],
  ['%', undefined],
  ['%ff%4', undefined],
  ['%4g', undefined],
];

test('percent escapes are decoded as UTF-8, and invalid ones are replaced', () => {
  for (const [text, expected] of DECODED) {
    assert.equal(percentDecoded(text), expected, text);
    assert.equal(hasBadEscape(text), expected === undefined, text);
    const long = 'x'.repeat(5_000);
    assert.equal(percentDecoded(long + text), expected === undefined ? undefined : long + expected, text);
  }
});

test('plus signs in a query are spaces, and escaped ones are not', () => {
  for (const pad of ['', '+'.repeat(5_000)]) {
    assert.equal(queryDecoded(`${pad}a+%2B+\u00e9`), `${pad.replaceAll('+', ' ')}a + \u00e9`);
  }
});
