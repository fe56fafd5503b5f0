// The 64-bit FNV-1a hash, in halves of 32 bits: bigints would take ten times as long, and a watch hashes every object.

/** A number of 64 bits, or 2^64: two unsigned halves. */
export interface Hash64 {
  readonly high: number;
  readonly low: number;
}

const OFFSET: Hash64 = { high: 0xcbf29ce4, low: 0x84222325 };
/** The prime is 2^40 plus this. */
const PRIME_LOW = 0x1b3;
const HALF = 2 ** 32;

/** The hash of a text's bytes in UTF-8. */
export function hash64(text: string): Hash64 {
  let { high, low } = OFFSET;
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0;
    // Both products have less than 42 bits, so that they are exact.
    const product = low * PRIME_LOW;
    high = (high * PRIME_LOW + Math.floor(product / HALF) + ((low << 8) >>> 0)) >>> 0;
    low = product >>> 0;
  }
  return { high, low };
}

/** Whether one number is less than another. */
export function isLess(one: Hash64, other: Hash64): boolean {
  return one.high === other.high ? one.low < other.low : one.high < other.high;
}
