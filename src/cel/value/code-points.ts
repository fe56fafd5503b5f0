// Code points of strings, which CEL counts, as opposed to JavaScript's UTF-16 units.

import { isHighSurrogate, isLowSurrogate } from '../../base/surrogates.ts';

/** Up to this length, counting is faster than checking. */
export const FEW = 10;

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/**
 * Whether a string may contain surrogate pairs. The engine answers for Latin-1 strings without a scan, so that it is
 * worth checking before counting.
 */
export function mayHavePairs(text: string): boolean {
  return HIGH_SURROGATE.test(text);
}

/** The UTF-16 index at which a code point begins; the text's length for its number of code points and more. */
export function unitIndex(text: string, codePoint: number): number {
  if (codePoint > FEW && !mayHavePairs(text)) return Math.min(codePoint, text.length);
  let index = 0;
  for (let left = codePoint; left > 0 && index < text.length; left--) index += unitsAt(text, index);
  return index;
}

/** Returns 2 if a surrogate pair starts at a UTF-16 index, else 1. */
export function unitsAt(text: string, index: number): 1 | 2 {
  const pair = isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
  return pair ? 2 : 1;
}
