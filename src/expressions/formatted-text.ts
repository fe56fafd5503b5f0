// Strings with schema formats that have other CEL types: timestamps, durations, bytes. Parsed as leniently as
// Kubernetes' format registry, so that every valid string has a value.

import { lookup } from '../base/lookup.ts';
import { Duration } from '../cel/value/duration.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { Timestamp } from '../cel/value/timestamp.ts';
import type { Value } from '../cel/value/value.ts';
import { formatDurationNanoseconds } from '../schema/structural/format-duration.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))?$/;

const READERS: Readonly<Record<string, (text: string) => Value>> = lookup({
  duration: readDuration,
  date: readDate,
  'date-time': readMoment,
  byte: readBytes,
});

/** Parses strings of a format; undefined if they remain strings. */
export function readFormatted(format: string): ((text: string) => Value) | undefined {
  return READERS[format];
}

function readDuration(text: string): Value {
  const nanoseconds = formatDurationNanoseconds(text);
  if (nanoseconds === undefined) {
    throw new EvaluationError(`Invalid duration ${text}: unable to parse ${text} as duration`);
  }
  return new Duration(Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n));
}

function readDate(text: string): Value {
  const match = DATE.exec(text);
  const seconds = match === null ? undefined : secondsOf(match.slice(1).map(Number));
  if (seconds === undefined) throw new EvaluationError(`Invalid date formatted string ${text}: it is not a date`);
  return new Timestamp(seconds, 0);
}

function readMoment(text: string): Value {
  const match = MOMENT.exec(text);
  const seconds = match === null ? undefined : secondsOf(match.slice(1, 7).map(Number));
  if (match === null || seconds === undefined) {
    throw new EvaluationError(`Invalid date-time formatted string ${text}: it is not a moment`);
  }
  const [fraction = '', sign, hours, minutes] = match.slice(7);
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return new Timestamp(seconds - offset * 60, Number(fraction.slice(0, 9).padEnd(9, '0')), offset);
}

/** Seconds since 1970; undefined for an invalid date or time. */
function secondsOf([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: number[]): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const lasts = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return lasts && hour < 24 && minute < 60 && second < 60 ? date.getTime() / 1000 : undefined;
}

/**
 * The format accepts the standard base64 alphabet, but the value is decoded with the URL alphabet: Kubernetes is
 * inconsistent here.
 */
function readBytes(text: string): Value {
  const place = text.search(/[+/]/);
  if (place >= 0) {
    throw new EvaluationError(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${place}`);
  }
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
