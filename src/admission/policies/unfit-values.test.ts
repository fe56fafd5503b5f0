import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Duration } from '../../cel/value/duration.ts';
import { Timestamp } from '../../cel/value/timestamp.ts';
import type { Value } from '../../cel/value/value.ts';
import { unfitValue } from './unfit-values.ts';

test('values of CEL that objects cannot have are printed as Go prints them', () => {
  const cases: readonly [value: Value, text: string | undefined, syntax: string | undefined][] = [
    [null, 'NULL_VALUE', '0'],
    [new Uint8Array([97, 5]), '[97 5]', '[]uint8{0x61, 0x5}'],
    [new Duration(1, 0), '1s', '1000000000'],
    [
      new Timestamp(1_577_836_800, 0),
      '2020-01-01 00:00:00 +0000 UTC',
      'time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)',
    ],
    ['text', undefined, undefined],
    [true, undefined, undefined],
  ];
  for (const [value, text, syntax] of cases) {
    const { texts } = unfitValue(value) ?? {};
    assert.deepEqual([texts?.text, texts?.syntax], [text, syntax]);
  }
});
