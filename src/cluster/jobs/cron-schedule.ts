// Cron schedules: when a schedule comes due next, in a time zone. The syntax is checked in resources/validation/cron.ts.

import { parseGoDuration } from '../../base/go-duration.ts';
import { scheduleFault } from '../../resources/validation/cron.ts';

/** When a schedule comes due. */
export interface Schedule {
  /** The first time after `ms`, in milliseconds; undefined if there is none within five years. */
  next(ms: number): number | undefined;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SEARCHED_MS = 5 * 366 * DAY_MS;
const NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');
const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const EVERY = '@every ';

/** The values of a field that match. */
interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether it is `*` or begins with it: then the other field about days decides alone. */
  readonly isStar: boolean;
}

/** A time of the wall clock; the month counts from 1. */
interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/**
 * The schedule in a text.
 *
 * @param timeZone an IANA name; a zone in the text wins. UTC by default
 * @throws Error with what is wrong with the text, in the words of Kubernetes' parser
 */
export function parseSchedule(text: string, timeZone = 'UTC'): Schedule {
  const fault = scheduleFault(text);
  if (fault !== undefined) throw new Error(fault);
  const [, zone = timeZone, rest = text] = /^(?:CRON_)?TZ=([^ ]*) (.*)$/s.exec(text) ?? [];
  const spec = rest.trim();
  if (spec.startsWith(EVERY)) return constantDelay(parseGoDuration(spec.slice(EVERY.length)));
  const parts = (DESCRIPTORS.get(spec) ?? spec).split(/\s+/);
  const [minutes, hours, days, months, weekdays] = [
    fieldOf(parts[0], [0, 59]),
    fieldOf(parts[1], [0, 23]),
    fieldOf(parts[2], [1, 31]),
    fieldOf(parts[3], [1, 12], NAMES),
    fieldOf(parts[4], [0, 6], DAYS),
  ];
  const offsetMs = offsetOf(zone);
  const isDay = ({ year, month, day }: WallTime) => {
    if (!months.values.has(month)) return false;
    const byDay = days.values.has(day);
    const byWeekday = weekdays.values.has(new Date(Date.UTC(year, month - 1, day)).getUTCDay());
    return days.isStar || weekdays.isStar ? byDay && byWeekday : byDay || byWeekday;
  };
  return {
    next(ms) {
      let at = Math.floor(ms / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
      while (at - ms < SEARCHED_MS) {
        const wall = wallTime(at + offsetMs(at));
        if (!isDay(wall)) at = nextDay(wall, offsetMs);
        else if (!hours.values.has(wall.hour)) at += (60 - wall.minute) * MINUTE_MS;
        else if (!minutes.values.has(wall.minute)) at += MINUTE_MS;
        else return at;
      }
      return undefined;
    },
  };
}

/** Whole seconds, one at least. */
function constantDelay(delayMs: number): Schedule {
  const delay = Math.max(1000, Math.floor(delayMs / 1000) * 1000);
  return { next: (ms) => Math.floor((ms + delay) / 1000) * 1000 };
}

function fieldOf(
  text: string | undefined,
  [least, most]: readonly [number, number],
  names: readonly string[] = [],
): Field {
  const numberOf = (each: string) => {
    const named = names.indexOf(each.toLowerCase());
    return named < 0 ? Number(each) : least + named;
  };
  const values = new Set<number>();
  let isStar = false;
  for (const range of (text ?? '*').split(',').filter((part) => part !== '')) {
    const [span = '', step] = range.split('/');
    const [first = '', last] = span.split('-');
    const isAll = first === '*' || first === '?';
    if (isAll && (step === undefined || Number(step) === 1)) isStar = true;
    const start = isAll ? least : numberOf(first);
    const end = isAll ? most : last !== undefined ? numberOf(last) : step === undefined ? start : most;
    for (let value = start; value <= end; value += Number(step ?? 1)) values.add(value);
  }
  return { values, isStar };
}

function wallTime(ms: number): WallTime {
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

/** The beginning of the day after; an hour later where the clock skips midnight. */
function nextDay({ year, month, day }: WallTime, offsetMs: (ms: number) => number): number {
  const wall = Date.UTC(year, month - 1, day + 1);
  const guess = wall - offsetMs(wall);
  return wall - offsetMs(guess);
}

/** How far the wall clock of a zone is ahead of UTC at a time. */
function offsetOf(timeZone: string): (ms: number) => number {
  if (timeZone === 'UTC' || timeZone === '') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
  };
}
