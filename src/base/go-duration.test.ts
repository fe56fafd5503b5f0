import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';

test('durations are parsed as by Go', () => {
  const cases: [text: string, ms: number][] = [
    ['0', 0],
    ['0s', 0],
    ['1m0s', 60_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['.5s', 500],
    ['250ms', 250],
    ['1500us', 1.5],
    ['1500µs', 1.5],
    ['-2s', -2000],
    ['+2s', 2000],
    ['999h1000h', 7_196_400_000],
    ['1h'.repeat(100_000), 360_000_000_000],
  ];
  for (const [text, ms] of cases) assert.equal(parseGoDuration(text), ms, text);
});

test('invalid durations are rejected in the words of Go', () => {
  const cases: [text: string, message: string][] = [
    ['', 'time: invalid duration ""'],
    ['x', 'time: invalid duration "x"'],
    ['s', 'time: invalid duration "s"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1m5', 'time: missing unit in duration "1m5"'],
    ['5d', 'time: unknown unit "d" in duration "5d"'],
    ['5 s', 'time: unknown unit " s" in duration "5 s"'],
    ['--5s', 'time: invalid duration "--5s"'],
  ];
  for (const [text, message] of cases) assert.throws(() => parseGoDuration(text), { message }, text);
});

test('durations have as many nanoseconds as 64 bits hold', () => {
  assert.equal(parseGoDuration('2562047h47m16.854775807s'), Number(2n ** 63n) / 1e6);
  assert.equal(parseGoDuration('-2562047h47m16.854775808s'), -Number(2n ** 63n) / 1e6);
  for (const text of [
    '2562047h47m16.854775808s',
    '9223372036854775808ns',
    '2562048h',
    '99999999999999999999h',
    '99999999999999999999',
    '1s99999999999999999999',
  ]) {
    assert.throws(() => parseGoDuration(text), { message: `time: invalid duration "${text}"` }, text);
  }
});

test('durations are formatted as by Go', () => {
  const cases: [ms: number, text: string][] = [
    [0, '0s'],
    [500, '500ms'],
    [1500, '1.5s'],
    [60_000, '1m0s'],
    [3_600_000, '1h0m0s'],
    [5_430_000, '1h30m30s'],
    [-60_000, '-1m0s'],
  ];
  for (const [ms, text] of cases) assert.equal(formatGoDuration(ms), text);
});

test('a duration that is not ASCII is quoted byte by byte', () => {
  assert.throws(() => parseGoDuration('é\t'), { message: String.raw`time: invalid duration "\xc3\xa9\x09"` });
});
