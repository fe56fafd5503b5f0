// Sizes of values, as counted by `size()` and by costs.

import { FEW, mayHavePairs } from './code-points.ts';
import { ListValue, MapValue, OpaqueValue, Optional, type Value } from './value.ts';

/** The code points of a string. */
export function stringSize(text: string): number {
  if (text.length > FEW && !mayHavePairs(text)) return text.length;
  let size = text.length;
  for (let i = text.length - 1; i > 0; i--) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) {
      size--;
      i--;
    }
  }
  return size;
}

/**
 * Returns the size used for costs: the code points of a string, the bytes of bytes, the items of lists and maps, the
 * size of an optional's value, and 1 for everything without a size, including errors.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return stringSize(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof OpaqueValue) return value.size ?? 1;
  if (value instanceof Optional) return value.value === undefined ? 1 : sizeOf(value.value);
  return 1;
}

/** Returns an operand's `size()`, undefined if it has none. */
export function countOf(value: Value): number | undefined {
  if (typeof value === 'string') return stringSize(value);
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  return value instanceof Uint8Array ? value.length : undefined;
}
