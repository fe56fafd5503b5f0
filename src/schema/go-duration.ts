// Durations as Go writes them: `1h2m0.5s`. Exact to the nanosecond.

const UNITS: Readonly<Record<string, bigint>> = Object.freeze({
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
});
const WHOLE = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const PART = /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g;
const MOST = 2n ** 63n;

/** The canonical text of a duration (`90s` is `1m30s`), or undefined when the text is none. */
export function canonicalDuration(text: string): string | undefined {
  const nanoseconds = durationNanoseconds(text);
  return nanoseconds === undefined ? undefined : durationText(nanoseconds);
}

/** The nanoseconds of a duration, or undefined when the text is none. */
export function durationNanoseconds(text: string): bigint | undefined {
  if (!WHOLE.test(text)) return undefined;
  let nanoseconds = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const size = UNITS[unit] ?? 0n;
    nanoseconds += BigInt(whole || '0') * size + (BigInt(fraction || '0') * size) / 10n ** BigInt(fraction.length);
  }
  const negative = text.startsWith('-');
  if (nanoseconds > MOST || (nanoseconds === MOST && !negative)) return undefined;
  return negative ? -nanoseconds : nanoseconds;
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

/** `value` divided by ten to the power of `digits`, without zeros at the end. */
function decimal(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return fraction === '' ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${fraction}`;
}
