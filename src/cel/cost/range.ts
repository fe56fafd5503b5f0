// Ranges of costs and sizes: minimum and maximum, saturating at 2^64 - 1 like cel-go's. Beyond 2^53 they have the
// precision of a double, which makes no difference to any limit.

/** The saturation value: cel-go's "unknown". */
export const UNBOUNDED = 2 ** 64;

/** A range of a cost or size, in integers. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const UNKNOWN_SIZE: Range = { min: 0, max: UNBOUNDED };

/** Exactly this value. */
export function exactly(count: number): Range {
  return { min: count, max: count };
}

export function add(left: Range, right: Range): Range {
  return { min: Math.min(left.min + right.min, UNBOUNDED), max: Math.min(left.max + right.max, UNBOUNDED) };
}

export function multiply(left: Range, right: Range): Range {
  return { min: Math.min(left.min * right.min, UNBOUNDED), max: Math.min(left.max * right.max, UNBOUNDED) };
}

/** Both bounds times a factor such as 0.1 per character, rounded up. */
export function scale(range: Range, factor: number): Range {
  return {
    min: Math.min(Math.ceil(range.min * factor), UNBOUNDED),
    max: Math.min(Math.ceil(range.max * factor), UNBOUNDED),
  };
}

/** The smallest range that contains both. */
export function union(left: Range, right: Range): Range {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}
