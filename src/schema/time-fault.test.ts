import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { timeFault } from './time-fault.ts';

const layout = 'as "2006-01-02T15:04:05Z07:00": cannot parse';

describe('the error about an invalid time', () => {
  for (const [text, why] of [
    ['x', ` ${layout} "x" as "2006"`],
    ['2026', ` ${layout} "" as "-"`],
    ['2026-1-02T03:04:05Z', ` ${layout} "1-02T03:04:05Z" as "01"`],
    ['2026-01-02t03:04:05Z', ` ${layout} "t03:04:05Z" as "T"`],
    ['2026-01-02T03:04:05', ` ${layout} "" as "Z07:00"`],
    ['2026-01-02T03:04:05.Z', ` ${layout} ".Z" as "Z07:00"`],
    ['2026-13-02T03:04:05Z', ': month out of range'],
    ['2026-02-30T03:04:05Z', ': day out of range'],
    ['2026-01-02T25:04:05Z', ': hour out of range'],
    ['2026-01-02T03:04:05+99:00', ': time zone offset hour out of range'],
    ['2026-01-02T03:04:05Zz', ': extra text: "z"'],
  ] as const) {
    test(`the error about the invalid time ${text} is that of Go`, () =>
      assert.equal(timeFault(text, 'time'), `parsing time "${text}"${why}`));
  }

  test('the error about an invalid time escapes the bytes of what is not printable ASCII', () => {
    const quoted = String.raw`"a\x0a\xe2\x98\xba\""`;
    assert.equal(timeFault('a\n\u263a"', 'time'), `parsing time ${quoted} ${layout} ${quoted} as "2006"`);
  });

  test('the error about an invalid time names microseconds for a MicroTime', () => {
    assert.equal(
      timeFault('2026-01-02T03:04:05Z', 'microTime'),
      'parsing time "2026-01-02T03:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    );
  });
});
