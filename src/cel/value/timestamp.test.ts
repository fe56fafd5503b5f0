import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Duration } from './duration.ts';
import {
  addToTimestamp,
  civilTime,
  formatTimestamp,
  parseTimestamp,
  subtractFromTimestamp,
  Timestamp,
  timeBetween,
} from './timestamp.ts';

const FIRST = new Timestamp(-62_135_596_800, 0);
const LAST = new Timestamp(253_402_300_799, 999_999_999);

describe('a CEL timestamp', () => {
  it('a CEL timestamp is parsed and formatted to the nanosecond, in its zone', () => {
    for (const text of [
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999999Z',
      '2024-02-29T12:30:00.5+05:30',
      '1969-12-31T23:59:59.000000001-08:00',
    ]) {
      assert.equal(formatTimestamp(parseTimestamp(text)!), text);
    }
    assert.deepEqual(parseTimestamp('2024-02-29T12:30:00.5+05:30'), new Timestamp(1_709_190_000, 500_000_000, 330));
    assert.equal(formatTimestamp(parseTimestamp('2024-01-01T1:00:00,5+00:00')!), '2024-01-01T01:00:00.5Z');
  });

  it('a CEL timestamp is an error for an invalid text', () => {
    for (const text of [
      '',
      '2023-02-29T00:00:00Z',
      '2024-13-01T00:00:00Z',
      '2024-01-01T24:00:00Z',
      '2024-01-01T00:00:60Z',
      '2024-01-01 00:00:00Z',
      '2024-01-01T00:00:00',
      '2024-01-01T00:00:00+25:00',
      '2024-01-01T00:00:00.Z',
    ]) {
      assert.equal(parseTimestamp(text), undefined, text);
    }
  });

  it('a CEL timestamp is within the years 1 to 9999', () => {
    const overflow = { message: 'timestamp overflow' };
    assert.throws(() => parseTimestamp('0000-12-31T23:59:59Z'), overflow);
    assert.throws(() => parseTimestamp('0001-01-01T00:00:00+00:01'), overflow);
    assert.throws(() => addToTimestamp(LAST, new Duration(0, 1)), overflow);
    assert.throws(() => subtractFromTimestamp(FIRST, new Duration(0, 1)), overflow);
  });

  it('a CEL timestamp is added to a duration with a carry of nanoseconds', () => {
    assert.deepEqual(addToTimestamp(new Timestamp(1, 600_000_000), new Duration(0, 400_000_000)), new Timestamp(2, 0));
    assert.deepEqual(addToTimestamp(new Timestamp(0, 0), new Duration(0, -1)), new Timestamp(-1, 999_999_999));
  });

  it('a CEL timestamp minus another one is a duration', () => {
    assert.deepEqual(timeBetween(new Timestamp(1, 0), new Timestamp(0, 1)), new Duration(0, 999_999_999));
    assert.throws(() => timeBetween(LAST, FIRST), { message: 'integer overflow' });
  });
});

describe('civil time in CEL', () => {
  it('civil time in CEL follows the Gregorian calendar', () => {
    const leapDay = { year: 2024, month: 2, day: 29, hours: 23, minutes: 59, seconds: 58, weekday: 4, dayOfYear: 59 };
    assert.deepEqual(civilTime(1_709_251_198), leapDay);
    const beginning = { year: 1, month: 1, day: 1, hours: 0, minutes: 0, seconds: 0, weekday: 1, dayOfYear: 0 };
    assert.deepEqual(civilTime(FIRST.seconds), beginning);
  });

  it('civil time in CEL agrees with the platform on any day', () => {
    for (let seconds = FIRST.seconds; seconds < LAST.seconds; seconds += 86_400 * 997 + 12_345) {
      const date = new Date(seconds * 1000);
      const { year, month, day, hours, weekday } = civilTime(seconds);
      assert.deepEqual(
        [year, month, day, hours, weekday],
        [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCDay()],
      );
    }
  });
});
