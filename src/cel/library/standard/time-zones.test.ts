import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../../../base/limits.ts';
import { TimeZones } from './time-zones.ts';

const SUMMER = Date.UTC(2024, 6, 1) / 1000;
const WINTER = Date.UTC(2024, 0, 1) / 1000;

describe('a time zone in CEL', () => {
  const zones = new TimeZones();
  const offsets: readonly (readonly [zone: string, seconds: number, offset: number])[] = [
    ['UTC', SUMMER, 0],
    ['', SUMMER, 0],
    ['America/New_York', SUMMER, -4 * 3600],
    ['America/New_York', WINTER, -5 * 3600],
    ['US/Central', WINTER, -6 * 3600],
    ['Asia/Kolkata', WINTER, 5.5 * 3600],
    ['-08:00', SUMMER, -8 * 3600],
    ['-02:30', SUMMER, -2.5 * 3600],
    ['05:45', SUMMER, 5.75 * 3600],
    ['+14:00', SUMMER, 14 * 3600],
  ];
  for (const [zone, seconds, offset] of offsets) {
    it(`a time zone in CEL has an offset: '${zone}'`, () => assert.equal(zones.offset(zone, seconds), offset));
  }

  it('a time zone in CEL has an offset in the first and the last year', () => {
    assert.equal(zones.offset('Asia/Tokyo', 253_402_300_799), 9 * 3600);
    assert.ok(Math.abs(zones.offset('Asia/Tokyo', -62_135_596_800)) < 12 * 3600);
  });

  it('a time zone in CEL is an error if its name is unknown', () => {
    assert.throws(() => zones.offset('Nowhere/There', 0), { message: 'unknown time zone Nowhere/There' });
    assert.throws(() => zones.offset('+0530', 0), { message: 'unknown time zone +0530' });
    assert.throws(() => zones.offset('x:00', 0), { message: 'strconv.Atoi: parsing "x": invalid syntax' });
  });

  it('a time zone in CEL is cached up to a limit', () => {
    for (const name of Intl.supportedValuesOf('timeZone').slice(0, limits.rememberedTimeZones + 5))
      zones.offset(name, 0);
    assert.equal(zones.offset('Asia/Kolkata', WINTER), 5.5 * 3600);
  });
});
