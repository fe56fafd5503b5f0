import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteLength } from './byte-length.ts';

test('counts what an encoder would write', () => {
  for (const text of ['', 'abc', 'é', '€', '😀', 'a é € 😀 z', '\u07ff\u0800\uffff']) {
    assert.equal(byteLength(text), new TextEncoder().encode(text).length, text);
  }
});
