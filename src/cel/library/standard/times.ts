// Accessors of timestamps, in UTC or a time zone, and of durations.

import { DURATION, INT, STRING, TIMESTAMP } from '../../types/type.ts';
import { durationIn } from '../../value/duration.ts';
import { type CivilTime, civilTime, type Timestamp } from '../../value/timestamp.ts';
import { type FunctionDeclaration, method, type Overload } from '../library.ts';
import type { TimeZones } from './time-zones.ts';

interface Getter {
  readonly name: string;
  readonly id: string;
  readonly idWithZone?: string;
  readonly read: (time: CivilTime, nanos: number) => number;
  /** The length of time that a duration is counted in by the same function, in nanoseconds. */
  readonly unit?: bigint;
}

const GETTERS: readonly Getter[] = [
  { name: 'getFullYear', id: 'year', read: (time) => time.year },
  { name: 'getMonth', id: 'month', read: (time) => time.month - 1 },
  { name: 'getDayOfYear', id: 'day_of_year', read: (time) => time.dayOfYear },
  { name: 'getDayOfMonth', id: 'day_of_month', read: (time) => time.day - 1 },
  { name: 'getDate', id: 'day_of_month_1_based', read: (time) => time.day },
  { name: 'getDayOfWeek', id: 'day_of_week', read: (time) => time.weekday },
  { name: 'getHours', id: 'hours', read: (time) => time.hours, unit: 3_600_000_000_000n },
  { name: 'getMinutes', id: 'minutes', read: (time) => time.minutes, unit: 60_000_000_000n },
  { name: 'getSeconds', id: 'seconds', idWithZone: 'seconds_tz', read: (time) => time.seconds, unit: 1_000_000_000n },
  { name: 'getMilliseconds', id: 'milliseconds', read: (_, nanos) => Math.floor(nanos / 1e6), unit: 1_000_000n },
];

/** @param zones looks up time zones by name */
export function times(zones: TimeZones): readonly FunctionDeclaration[] {
  return GETTERS.map(({ name, id, idWithZone = `${id}_with_tz`, read, unit }) => {
    const inZone = (timestamp: Timestamp, zone: string) =>
      read(civilTime(timestamp.seconds + zones.offset(zone, timestamp.seconds)), timestamp.nanos);
    const overloads: Overload[] = [
      method(`timestamp_to_${id}`, [[TIMESTAMP], INT], {
        evaluate: ({ seconds, nanos }) => read(civilTime(seconds), nanos),
      }),
      method(`timestamp_to_${idWithZone}`, [[TIMESTAMP, STRING], INT], { evaluate: inZone }),
    ];
    if (unit !== undefined) {
      overloads.push(
        method(`duration_to_${id}`, [[DURATION], INT], { evaluate: (duration) => durationIn(unit, duration) }),
      );
    }
    return { name, overloads };
  });
}
