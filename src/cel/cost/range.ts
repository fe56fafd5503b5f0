// Estimates of costs and sizes: a least and a greatest, which saturate at 2^64 - 1 where cel-go's do. Past 2^53 they are
// as exact as a double is, which no limit can tell.

/** Where sums and products end: cel-go's "unknown". */
export const UNBOUNDED = 2 ** 64;

/** What a cost or a size lies between; whole numbers. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const UNKNOWN_SIZE: Range = { min: 0, max: UNBOUNDED };

/** Exactly so much. */
export function exactly(count: number): Range {
  return { min: count, max: count };
}

export function add(left: Range, right: Range): Range {
  return { min: Math.min(left.min + right.min, UNBOUNDED), max: Math.min(left.max + right.max, UNBOUNDED) };
}

export function multiply(left: Range, right: Range): Range {
  return { min: Math.min(left.min * right.min, UNBOUNDED), max: Math.min(left.max * right.max, UNBOUNDED) };
}

/** Each end times a factor such as 0.1 a character, rounded up. */
export function scale(range: Range, factor: number): Range {
  return {
    min: Math.min(Math.ceil(range.min * factor), UNBOUNDED),
    max: Math.min(Math.ceil(range.max * factor), UNBOUNDED),
  };
}

/** The least range that holds both. */
export function union(left: Range, right: Range): Range {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}
