import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteLength } from './byte-length.ts';

test('the byte length of a text is that of its UTF-8 encoding', () => {
  for (const text of ['', 'abc', 'é', '€', '😀', 'a é € 😀 z', '\u07ff\u0800\uffff']) {
    assert.equal(byteLength(text), new TextEncoder().encode(text).length, text);
  }
});
