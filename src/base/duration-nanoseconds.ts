// Parser for Go durations: `1h2m0.5s`. Parses in one pass whatever the text: clients send it, and a regular expression
// in which digits can follow digits in two ways takes twice the time for each further digit.

import { lookup } from './lookup.ts';
import { withoutTrailing } from './without-trailing.ts';

const UNITS: Readonly<Record<string, bigint>> = lookup({
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
});
const ZERO = 0x30;
/** Nanoseconds of units by their only letter. */
const SHORT_UNITS: ReadonlyMap<number, number> = new Map(
  ['h', 'm', 's'].map((unit) => [unit.charCodeAt(0), Number(UNITS[unit])] as const),
);
const MAX_NANOSECONDS = 2n ** 63n;
/** Further digits exceed 64 bits before the point, and are irrelevant after it. */
const MAX_DIGITS = 19;
/** Numbers of so many digits are exact in any unit, and sums up to this value with one more of them too. */
const SMALL_DIGITS = 3;
const MAX_SMALL = 2 ** 52;

/** The nanoseconds of a duration (time.ParseDuration), from -2^63 to 2^63-1; undefined if invalid. */
export function durationNanoseconds(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  let at = negative || text.startsWith('+') ? 1 : 0;
  if (text.length === at + 1 && text[at] === '0') return 0n;
  if (at === text.length) return undefined;
  let nanoseconds = 0n;
  // Small parts, of which a text may have many, are added as numbers.
  let small = 0;
  while (at < text.length) {
    const part = partAt(text, at);
    if (part === undefined) return undefined;
    at = part.end;
    if (typeof part.nanoseconds === 'number') small += part.nanoseconds;
    else nanoseconds += part.nanoseconds;
    if (small > MAX_SMALL) {
      nanoseconds += BigInt(small);
      small = 0;
    }
    if (nanoseconds > MAX_NANOSECONDS) return undefined;
  }
  nanoseconds += BigInt(small);
  if (nanoseconds > MAX_NANOSECONDS) return undefined;
  if (negative) return -nanoseconds;
  return nanoseconds === MAX_NANOSECONDS ? undefined : nanoseconds;
}

/** The canonical text of a duration (`90s` is `1m30s`); undefined if invalid. */
export function canonicalDuration(text: string): string | undefined {
  const nanoseconds = durationNanoseconds(text);
  return nanoseconds === undefined ? undefined : durationText(nanoseconds);
}

/** One number with its unit, and where it ends. */
interface DurationPart {
  readonly nanoseconds: bigint | number;
  readonly end: number;
}

function partAt(text: string, start: number): DurationPart | undefined {
  const point = endOfDigits(text, start);
  const short = SHORT_UNITS.get(text.charCodeAt(point));
  if (short !== undefined && point > start && point - start <= SMALL_DIGITS && endsUnit(text, point + 1)) {
    return { nanoseconds: smallNumber(text, start, point) * short, end: point + 1 };
  }
  const hasPoint = text[point] === '.';
  const fraction = hasPoint ? point + 1 : point;
  const unitStart = hasPoint ? endOfDigits(text, fraction) : point;
  if (point === start && unitStart === fraction) return undefined;
  let end = unitStart;
  while (!endsUnit(text, end)) end++;
  const name = text.slice(unitStart, end);
  const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  const whole = wholeNumber(text, start, point);
  if (unit === undefined || whole === undefined) return undefined;
  const part = fractionOf(unit, text.slice(fraction, Math.min(unitStart, fraction + MAX_DIGITS)));
  return { nanoseconds: whole * unit + part, end };
}

/**
 * The fraction of a unit given by the digits after the point, with the precision of a double: 0.3333333333333333333h is
 * 20m.
 */
function fractionOf(unit: bigint, digits: string): bigint {
  let counted = BigInt(digits);
  let scale = digits.length;
  if (counted > MAX_NANOSECONDS) {
    counted = BigInt(digits.slice(0, -1));
    scale--;
  }
  return BigInt(Math.trunc(Number(counted) * (Number(unit) / 10 ** scale)));
}

/** The number between two offsets; undefined above 64 bits. */
function wholeNumber(text: string, start: number, end: number): bigint | undefined {
  let first = start;
  while (first < end && text[first] === '0') first++;
  if (end - first > MAX_DIGITS) return undefined;
  return first === end ? 0n : BigInt(text.slice(first, end));
}

function endsUnit(text: string, at: number): boolean {
  return at >= text.length || text[at] === '.' || isDigit(text.charCodeAt(at));
}

/** The same for a few digits. */
function smallNumber(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = 10 * number + text.charCodeAt(at) - ZERO;
  return number;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

/** The canonical text of a duration. */
export function durationText(nanoseconds: bigint): string {
  return nanoseconds < 0n ? `-${magnitudeText(-nanoseconds)}` : magnitudeText(nanoseconds);
}

function magnitudeText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 3)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 6)}ms`;
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** `value` divided by ten to the power of `digits`, without trailing zeros. */
function decimal(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0');
  const fraction = withoutTrailing(text.slice(-digits), '0');
  return fraction === '' ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${fraction}`;
}
