// Parser for the format `duration`: Go's durations, and what Kubernetes' format registry accepts in addition, numbers
// and units anywhere in a text: `2 days and 3 hours`. Linear in the length of the text.

import { durationNanoseconds } from '../../base/duration-nanoseconds.ts';

/** Nanoseconds by unit; a longer word that begins with a unit's longest name is accepted too: `seconds`. */
const UNITS: readonly (readonly [names: readonly string[], nanoseconds: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];
/** The longest name of a unit; further characters of a word do not matter. */
const NAME_CHARACTERS = 5;
const MAX_INT64 = 2n ** 63n - 1n;
/** More digits than a 64-bit number has, apart from leading zeros. */
const MAX_DIGITS = 19;

/** The nanoseconds of a text in the format `duration`; undefined if invalid. */
export function formatDurationNanoseconds(text: string): bigint | undefined {
  return durationNanoseconds(text) ?? sumOfParts(text);
}

/** The sum of all numbers followed by a unit; it wraps around at 64 bits, as in Kubernetes. */
function sumOfParts(text: string): bigint | undefined {
  let sum: bigint | undefined;
  for (let at = 0; at < text.length; ) {
    if (!isDigit(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const digits = at;
    while (isDigit(text.charCodeAt(at))) at++;
    const count = { start: digits, end: at };
    while (isSpace(text.charCodeAt(at))) at++;
    const word = at;
    while (isLetter(text.charCodeAt(at))) at++;
    if (at === word) continue;
    const factor = int64(text, count.start, count.end);
    if (factor === undefined) return undefined;
    for (const nanoseconds of unitsOf(text.slice(word, Math.min(at, word + NAME_CHARACTERS + 1)).toLowerCase())) {
      sum = BigInt.asIntN(64, (sum ?? 0n) + factor * nanoseconds);
    }
  }
  return sum;
}

function unitsOf(word: string): bigint[] {
  return UNITS.filter(([names]) => names.includes(word) || word.startsWith(names.at(-1) as string)).map(
    ([, nanoseconds]) => nanoseconds,
  );
}

function int64(text: string, start: number, end: number): bigint | undefined {
  let first = start;
  while (first < end && text[first] === '0') first++;
  if (end - first > MAX_DIGITS) return undefined;
  const value = first === end ? 0n : BigInt(text.slice(first, end));
  return value > MAX_INT64 ? undefined : value;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** RE2's `\s`. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0xb5;
}
