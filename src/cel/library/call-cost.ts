// Costs of library functions that share a formula: so much for each character of their first operand, at run time and
// as an estimate. The numbers are cel-go's and Kubernetes'.

import { byteLength } from '../../base/byte-length.ts';
import { add, exactly, multiply, type Range, scale } from '../cost/range.ts';
import { sizeOf } from '../value/size.ts';
import { ListValue, MapValue, type Value } from '../value/value.ts';
import type { CallEstimate, Operand } from './library.ts';

/** To walk one character, byte or item. */
export const TRAVERSAL = 0.1;
/** For each character of a regular expression. */
const PATTERN_CHARACTER = 0.25;

/** Costs of a declaration. */
interface CallCosts {
  readonly pricesErrors: true;
  readonly cost: (result: unknown, text: string) => number;
  readonly estimate: (text: Operand) => CallEstimate;
}

/** Of a function that walks its first operand, a text, so many times. */
export function perCharacter(times = 1): CallCosts {
  return {
    pricesErrors: true,
    cost: (_result, text) => Math.ceil(sizeOf(text) * times * TRAVERSAL),
    estimate: (text) => ({ cost: scale(text.size, times * TRAVERSAL) }),
  };
}

/** Of a function that walks its first operand, a text, and makes one as long. */
export const SAME_LENGTH: CallCosts = Object.freeze({
  ...perCharacter(),
  estimate: (text: Operand) => ({ cost: scale(text.size, TRAVERSAL), resultSize: text.size }),
});

/** Of looking for a regular expression in a text, whose size comes first. */
export function searchCost(characters: number, patternCharacters: number): number {
  return Math.ceil((1 + characters) * TRAVERSAL) * Math.ceil(patternCharacters * PATTERN_CHARACTER);
}

/** As searchCost, estimated. */
export function searchEstimate(characters: Range, patternCharacters: Range): Range {
  return multiply(scale(add(characters, exactly(1)), TRAVERSAL), scale(patternCharacters, PATTERN_CHARACTER));
}

/** What walking through a value costs: 1 for each scalar, and for texts their bytes, not rounded up. */
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

/** Of what is not known to be a list as of a text. */

/** Of a function that walks through its first operand. */
export const WALK = (_result: unknown, value: Value): number => walkingCost(value);
