// Weights and delays of Stages, which are fixed or taken from the object.

import { isNumber } from '../../api/is-object.ts';
import { parseGoDuration } from '../../base/go-duration.ts';
import { compileSource, type StageLook, type ValueSource } from './expression.ts';
import type { ExpressionFrom, StageDelay } from './stage-objects.ts';

/** The weight of a Stage for an object; undefined if the object gives none. */
export type Weight = (look: StageLook) => number | undefined;

/** The time in milliseconds after which a Stage is played. */
export type Delay = (look: StageLook) => number;

/** Of a millisecond: numbers of CEL are durations of Go. */
const NANOSECONDS = 1e6;
const INTEGER = /^[+-]?(?:\d+|0x[\da-f]+|0b[01]+|0o[0-7]+)$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** @throws Error for an expression that cannot be read */
export function compileWeight(fixed: number, from: ExpressionFrom | undefined): Weight {
  if (from === undefined) return () => fixed;
  const source = compileSource(from);
  return (look) => {
    const value = source(look);
    if (typeof value === 'string') return INTEGER.test(value) ? Number(value) : undefined;
    if (isNumber(value)) return Math.trunc(Number(value));
    return fixed;
  };
}

/** @throws Error for an expression that cannot be read */
export function compileDelay(delay: StageDelay | undefined): Delay {
  if (delay === undefined) return () => 0;
  const duration = compileDuration(delay.durationMilliseconds ?? 0, delay.durationFrom);
  const jitter = compileDuration(delay.jitterDurationMilliseconds, delay.jitterDurationFrom);
  return (look) => {
    const least = duration(look);
    if (least === undefined) return 0;
    const most = jitter(look);
    if (most === undefined) return Math.max(0, least);
    // A jitter below the duration takes its place, as in KWOK.
    const ms = most <= least ? most : least + look.random.below(Math.ceil(most - least));
    return Math.max(0, ms);
  };
}

function compileDuration(
  fixed: number | undefined,
  from: ExpressionFrom | undefined,
): (look: StageLook) => number | undefined {
  if (from === undefined) return () => fixed;
  const source: ValueSource = compileSource(from);
  return (look) => {
    const value = source(look);
    if (value === '') return undefined;
    if (from.cel !== undefined && typeof value === 'number') return value / NANOSECONDS;
    return typeof value === 'string' ? (durationIn(value, look.nowMs) ?? fixed) : fixed;
  };
}

/** A duration such as `1h30m`, or the time until a moment. */
function durationIn(text: string, nowMs: number): number | undefined {
  if (TIME.test(text)) return Date.parse(text) - nowMs;
  try {
    return parseGoDuration(text);
  } catch {
    return undefined;
  }
}
