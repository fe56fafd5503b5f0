// A duration with nanosecond precision.

import { durationNanoseconds } from '../../base/duration-nanoseconds.ts';
import { checkedInt, type Int } from './int.ts';

const NANOS_PER_SECOND = 1_000_000_000n;

/** `seconds` and `nanos` have the same sign; |nanos| < 10^9. Range: cel-go's, ±(2^63 - 1) ns on arithmetic. */
export class Duration {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

/** The duration of so many nanoseconds. Throws `integer overflow` outside of 64 bits. */
export function durationOfNanos(nanos: bigint): Duration {
  checkedInt(nanos);
  return new Duration(Number(nanos / NANOS_PER_SECOND), Number(nanos % NANOS_PER_SECOND));
}

export function nanosOf(duration: Duration): bigint {
  return BigInt(duration.seconds) * NANOS_PER_SECOND + BigInt(duration.nanos);
}

/** Throws `integer overflow`. */
export function addDurations(left: Duration, right: Duration): Duration {
  return durationOfNanos(nanosOf(left) + nanosOf(right));
}

/** Throws `integer overflow`. */
export function subtractDurations(left: Duration, right: Duration): Duration {
  return durationOfNanos(nanosOf(left) - nanosOf(right));
}

/** The duration in units of so many nanoseconds, cut off toward zero. */
export function durationIn(unit: bigint, duration: Duration): Int {
  return checkedInt(nanosOf(duration) / unit);
}

/**
 * Parses Go durations, `1h30m5.5s`; undefined if invalid or beyond ±2^63 ns. Fractions of a nanosecond are truncated.
 */
export function parseDuration(text: string): Duration | undefined {
  const nanos = durationNanoseconds(text);
  return nanos === undefined ? undefined : durationOfNanos(nanos);
}

/** Formats seconds with the fewest places that identify a double: `5400s`, `0.5s`. */
export function formatDuration(duration: Duration): string {
  return `${plainDecimal(duration.seconds + duration.nanos / 1e9)}s`;
}

/** A double in its shortest decimal form without an exponent, for doubles between 1e-21 and 1e21. */
function plainDecimal(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, digit, digits = '', exponent] = match;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digit}${digits}`;
}
