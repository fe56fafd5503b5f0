import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goQuote } from './go-quote.ts';

test('text is quoted as by Go', () => {
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

test('each ASCII character is quoted alone as within other text', () => {
  for (let code = 0; code < 0x80; code++) {
    const character = String.fromCharCode(code);
    assert.equal(goQuote(character).slice(1, -1), goQuote(`${character}\u0085`).slice(1, -7), `${code}`);
  }
});
