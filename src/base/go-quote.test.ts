import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goQuote } from './go-quote.ts';

test('text is quoted as Go quotes it', () => {
  const cases: [string, string][] = [
    ['plain', '"plain"'],
    ['say "x"\\', '"say \\"x\\"\\\\"'],
    ['tab\there\n', '"tab\\there\\n"'],
    ['bad\x01name', '"bad\\x01name"'],
    ['grün 日本 🚀', '"grün 日本 🚀"'],
    ['\u00a0\u2028', '"\\u00a0\\u2028"'],
    ['\x7f', '"\\x7f"'],
  ];
  for (const [text, quoted] of cases) assert.equal(goQuote(text), quoted);
});
