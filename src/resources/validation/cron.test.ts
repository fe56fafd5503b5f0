import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scheduleFault, validateSchedule, validateTimeZone } from './cron.ts';

describe('cron schedules', () => {
  for (const schedule of [
    '* * * * *',
    '*/5 0-6,12 1 jan-MAR mon',
    '? ? ? ? ?',
    '5/15 * * * *',
    '@daily',
    '@every 1h30m',
    'TZ=UTC 0 0 * * *',
  ]) {
    it(`cron schedules include ${schedule}`, () => assert.equal(scheduleFault(schedule), undefined));
  }

  for (const [schedule, fault] of [
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['* * * * 8', 'end of range (8) above maximum (6): 8'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['*/1/2 * * * *', 'too many slashes: */1/2'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['@sometimes', 'unrecognized descriptor: @sometimes'],
    ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ['@every 1d', 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
    ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
    ['TZ=Nowhere/X 0 0 * * *', 'provided bad location Nowhere/X: unknown time zone Nowhere/X'],
  ] as const) {
    it(`cron schedules do not include ${schedule}`, () => assert.equal(scheduleFault(schedule), fault));
  }

  it('cron schedules are required, and have no time zone in their text', () => {
    assert.deepEqual(
      validateSchedule('', 's').map(({ type }) => type),
      ['FieldValueRequired'],
    );
    assert.deepEqual(
      validateSchedule('TZ=UTC 0 0 * * *', 's').map(({ detail }) => detail),
      ['cannot use TZ or CRON_TZ in schedule, use timeZone field instead'],
    );
  });
});

describe('time zones of a CronJob', () => {
  for (const [zone, fault] of [
    [undefined, undefined],
    ['UTC', undefined],
    ['Etc/UTC', undefined],
    ['Europe/Berlin', undefined],
    ['US/Pacific', undefined],
    ['Etc/GMT+5', undefined],
    ['', 'timeZone must be nil or non-empty string'],
    ['Local', 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'],
    ['../UTC', 'unknown time zone ../UTC'],
    ['utc', 'unknown time zone utc'],
    ['EUROPE/BERLIN', 'unknown time zone EUROPE/BERLIN'],
    ['+05:00', 'unknown time zone +05:00'],
    ['Mars/Olympus', 'unknown time zone Mars/Olympus'],
  ] as const) {
    it(`time zones of a CronJob are checked: ${zone}`, () => {
      assert.deepEqual(
        validateTimeZone(zone, 'z').map(({ detail }) => detail),
        fault === undefined ? [] : [fault],
      );
    });
  }

  it('time zones do not include the local one in another spelling, which is unknown as well', () => {
    assert.deepEqual(
      validateTimeZone('local', 'f').map(({ detail }) => detail),
      [
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
        'unknown time zone local',
      ],
    );
  });
});
