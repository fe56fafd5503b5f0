// Code points of strings, which CEL counts, as opposed to JavaScript's UTF-16 units.

/** So many are counted one by one sooner than asked about. */
export const FEW = 10;

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/**
 * Whether a text can hold code points of two units. The engine tells it of texts in Latin 1 without looking at them, which
 * makes it worth asking before counting.
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

/** 2 where a pair of surrogates begins at a UTF-16 index, else 1. */
export function unitsAt(text: string, index: number): 1 | 2 {
  const pair = isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
  return pair ? 2 : 1;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
