// Durations in Kubernetes' flags, in Go's format: 1h30m, 500ms, 1.5s.

import { durationNanoseconds } from './duration-nanoseconds.ts';
import { goTimeQuote } from './go-quote.ts';

const UNITS: ReadonlySet<string> = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h']);

/** Go parses numbers as 64 bits. */
const MAX_NUMBER = 2n ** 63n;
const MAX_DIGITS = 19;

/** Milliseconds; throws an Error with Go's message. A number requires a unit, except 0. */
export function parseGoDuration(text: string): number {
  const nanoseconds = durationNanoseconds(text);
  if (nanoseconds === undefined) throw new Error(durationFault(text));
  return Number(nanoseconds) / 1e6;
}

/** Why a text is not a duration, in Go's words. */
export function durationFault(text: string): string {
  return `time: ${faultOf(text)} ${goTimeQuote(text)}`;
}

/** Why a text is not a duration: the first number that is too large or has no valid unit. */
function faultOf(text: string): string {
  for (const [, whole = '', unit = ''] of text.replace(/^[+-]/, '').matchAll(/(?:(\d+)(?:\.\d*)?|\.\d+)([^\d.]*)/gy)) {
    const digits = whole.replace(/^0+/, '');
    if (digits.length > MAX_DIGITS || BigInt(digits) > MAX_NUMBER) break;
    if (unit === '') return 'missing unit in duration';
    if (!UNITS.has(unit)) return `unknown unit ${goTimeQuote(unit)} in duration`;
  }
  return 'invalid duration';
}

/** Go's formatting of a duration: 1m0s, 1h0m0s, 500ms, 0s. */
export function formatGoDuration(durationMs: number): string {
  if (durationMs < 0) return `-${formatGoDuration(-durationMs)}`;
  if (durationMs > 0 && durationMs < 1000) return `${durationMs}ms`;
  const seconds = `${(durationMs % 60_000) / 1000}s`;
  const minutes = Math.floor(durationMs / 60_000);
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}
