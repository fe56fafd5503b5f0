// A timestamp with nanosecond precision.

import { withoutTrailing } from '../../base/without-trailing.ts';
import { addDurations, Duration, durationOfNanos, nanosOf } from './duration.ts';
import { EvaluationError } from './evaluation-error.ts';

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const MIN_SECONDS = -62_135_596_800;
const MAX_SECONDS = 253_402_300_799;
const SECONDS_PER_DAY = 86_400;

/** Seconds since 1970 in UTC, negative before; 0 <= nanos < 10^9. Years 1 to 9999. */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;
  /** How many minutes east of UTC the text it was read from was written; only its own text shows that. */
  readonly offset: number;
  constructor(seconds: number, nanos: number, offset = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** Throws `timestamp overflow` for seconds outside of the years 1 to 9999. */
export function checkedTimestamp(seconds: number, nanos: number, offset = 0): Timestamp {
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)) throw new EvaluationError('timestamp overflow');
  return new Timestamp(seconds, nanos, offset);
}

/** Throws `timestamp overflow`. */
export function addToTimestamp(timestamp: Timestamp, duration: Duration): Timestamp {
  const nanos = timestamp.nanos + duration.nanos;
  const carry = Math.floor(nanos / 1e9);
  return checkedTimestamp(timestamp.seconds + duration.seconds + carry, nanos - carry * 1e9, timestamp.offset);
}

/** Throws `timestamp overflow`, and `integer overflow` for the duration that has no opposite. */
export function subtractFromTimestamp(timestamp: Timestamp, duration: Duration): Timestamp {
  return addToTimestamp(timestamp, durationOfNanos(-nanosOf(duration)));
}

/** Returns the time from `right` to `left`. Throws `integer overflow` if it exceeds a duration. */
export function timeBetween(left: Timestamp, right: Timestamp): Duration {
  const seconds = durationOfNanos(BigInt(left.seconds - right.seconds) * 1_000_000_000n);
  return addDurations(seconds, new Duration(0, left.nanos - right.nanos));
}

const TIMESTAMP_TEXT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * Parses RFC 3339 like Go; undefined if invalid. Throws `timestamp overflow` for a time outside of the years 1 to 9999.
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = TIMESTAMP_TEXT.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 24 || offsetMinutes > 60) return undefined;
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  const seconds = daysFromCivil(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - offset * 60;
  return checkedTimestamp(seconds, Number((match[7] ?? '').slice(0, 9).padEnd(9, '0')), offset + 0);
}

/** Formats RFC 3339 with the decimals that are needed, in the original time zone. */
export function formatTimestamp(timestamp: Timestamp): string {
  const { offset } = timestamp;
  const { year, month, day, hours, minutes, seconds } = civilTime(timestamp.seconds + offset * 60);
  const fraction = timestamp.nanos === 0 ? '' : `.${withoutTrailing(String(timestamp.nanos).padStart(9, '0'), '0')}`;
  const date = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
  const time = `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}${fraction}`;
  const east = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(east / 60))}:${twoDigits(east % 60)}`;
  return `${date}T${time}${offset === 0 ? 'Z' : zone}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** The parts of a moment as a calendar and a clock show it. */
export interface CivilTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 is the first of January. */
  readonly dayOfYear: number;
}

/** Returns the date and time for seconds since 1970, in local time if a zone's offset was added. */
export function civilTime(secondsSince1970: number): CivilTime {
  const days = Math.floor(secondsSince1970 / SECONDS_PER_DAY);
  const ofDay = secondsSince1970 - days * SECONDS_PER_DAY;
  const { year, month, day } = civilFromDays(days);
  return {
    year,
    month,
    day,
    hours: Math.floor(ofDay / 3600),
    minutes: Math.floor((ofDay % 3600) / 60),
    seconds: ofDay % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
    dayOfYear: days - daysFromCivil(year, 1, 1),
  };
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days since 1970-01-01 of a date of the proleptic Gregorian calendar; years begin in March here. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}
