// Cost formulas shared by library functions: a factor per character of the first operand, at run time and as an
// estimate. The numbers are cel-go's and Kubernetes'.

import { byteLength } from '../../base/byte-length.ts';
import { add, exactly, multiply, type Range, scale } from '../cost/range.ts';
import { sizeOf } from '../value/size.ts';
import { ListValue, MapValue, type Value } from '../value/value.ts';
import type { CallEstimate, Operand } from './library.ts';

/** To traverse one character, byte or item. */
export const TRAVERSAL = 0.1;
/** Per character of a regular expression. */
const PATTERN_CHARACTER = 0.25;

/** Costs of a declaration. */
interface CallCosts {
  readonly pricesErrors: true;
  readonly cost: (result: unknown, text: string) => number;
  readonly estimate: (text: Operand) => CallEstimate;
}

/** For a function that traverses its first operand, a string, a number of times. */
export function perCharacter(times = 1): CallCosts {
  return {
    pricesErrors: true,
    cost: (_result, text) => Math.ceil(sizeOf(text) * times * TRAVERSAL),
    estimate: (text) => ({ cost: scale(text.size, times * TRAVERSAL) }),
  };
}

/** For a function that traverses its first operand, a string, and creates one of the same length. */
export const SAME_LENGTH: CallCosts = Object.freeze({
  ...perCharacter(),
  estimate: (text: Operand) => ({ cost: scale(text.size, TRAVERSAL), resultSize: text.size }),
});

/** For matching a regular expression, whose size comes first, with a string. */
export function searchCost(characters: number, patternCharacters: number): number {
  return Math.ceil((1 + characters) * TRAVERSAL) * Math.ceil(patternCharacters * PATTERN_CHARACTER);
}

/** Estimate of searchCost. */
export function searchEstimate(characters: Range, patternCharacters: Range): Range {
  return multiply(scale(add(characters, exactly(1)), TRAVERSAL), scale(patternCharacters, PATTERN_CHARACTER));
}

/** The cost of traversing a value: 1 per scalar, and for strings their bytes, not rounded up. */
function walkingCost(value: Value): number {
  if (typeof value === 'string') return Math.floor(byteLength(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL);
  let cost = 0;
  if (value instanceof ListValue) {
    for (let index = 0; index < value.size; index++) cost += walkingCost(value.at(index));
    return cost;
  }
  if (!(value instanceof MapValue)) return 1;
  for (const key of value.keys()) cost += walkingCost(key) + walkingCost(value.get(key) ?? null);
  return cost;
}

/** For anything but a list, that of a string. */

/** For a function that traverses its first operand. */
export const WALK = (_result: unknown, value: Value): number => walkingCost(value);
