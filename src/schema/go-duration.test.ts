import assert from 'node:assert/strict';
import { it } from 'node:test';
import { canonicalDuration } from './go-duration.ts';

const table: [text: string, canonical: string | undefined][] = [
  ['0', '0s'],
  ['-0s', '0s'],
  ['3600s', '1h0m0s'],
  ['1.5h', '1h30m0s'],
  ['90s', '1m30s'],
  ['-90s', '-1m30s'],
  ['1500ms', '1.5s'],
  ['1us', '1µs'],
  ['1500ns', '1.5µs'],
  ['.5s', '500ms'],
  ['1h1ns', '1h0m0.000000001s'],
  ['-9223372036854775808ns', '-2562047h47m16.854775808s'],
  ['9223372036854775808ns', undefined],
  ['5', undefined],
  ['s', undefined],
  ['1 s', undefined],
  ['1d', undefined],
  ['', undefined],
];
for (const [text, canonical] of table) {
  it(`duration ${text}`, () => assert.equal(canonicalDuration(text), canonical));
}
