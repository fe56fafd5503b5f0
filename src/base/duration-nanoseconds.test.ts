import assert from 'node:assert/strict';
import { it } from 'node:test';
import { canonicalDuration } from './duration-nanoseconds.ts';

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
  ['0.3333333333333333333h', '20m0s'],
  ['0.100000000000000000000h', '6m0s'],
  ['0.9223372036854775807h', '55m20.413933267s'],
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
  it(`the canonical form of the duration ${text} is that of Go`, () =>
    assert.equal(canonicalDuration(text), canonical));
}

it('a duration of megabytes is parsed in linear time', () => {
  const digits = '9'.repeat(100);
  for (const text of [
    `${digits}x`,
    `${'1'.repeat(3_000_000)}s`,
    `0.${'1'.repeat(3_000_000)}s`,
    '1s'.repeat(1_000_000),
  ]) {
    const start = process.cpuUsage();
    canonicalDuration(text);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 2_000_000, `${text.slice(0, 10)}… took ${user} µs`);
  }
});

it('digits of a duration past 64 bits are an error before the point and ignored after it', () => {
  assert.equal(canonicalDuration(`${'0'.repeat(50)}1s`), '1s');
  assert.equal(canonicalDuration('99999999999999999999ns'), undefined);
  assert.equal(canonicalDuration(`0.5${'0'.repeat(5000)}s`), '500ms');
  assert.equal(canonicalDuration('1constructor'), undefined);
});
