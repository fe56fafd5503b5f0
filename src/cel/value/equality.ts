// Equality of values: numbers by value, lists by items, maps by keys and values; values of different types are never
// equal. Only opaque types, and lists and maps with a schema, cannot be compared with others.

import { Type } from '../types/type.ts';
import { comparing } from './comparing.ts';
import { compareBytes, isNumeric, numbersEqual } from './comparison.ts';
import { Duration } from './duration.ts';
import { EvaluationError } from './evaluation-error.ts';
import { Timestamp } from './timestamp.ts';
import { ListValue, MapValue, OpaqueValue, Optional, StructValue, type Value } from './value.ts';

/** Comparing 256 characters takes about as long as one value. */
const CHARACTERS_PER_PART = 8;

/**
 * CEL's `left == right`. If a list, map, struct or opaque value defines its own equality, that
 * of `left` is used.
 */
export function equal(left: Value, right: Value): boolean {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length !== right.length) return false;
    comparing.add(left.length >> CHARACTERS_PER_PART);
    return left === right;
  }
  if (left === null || typeof left !== 'object') {
    return left === right || (isNumeric(left) && isNumeric(right) && numbersEqual(left, right));
  }
  if (isNumeric(left)) return isNumeric(right) && numbersEqual(left, right);
  if (left instanceof ListValue) return right instanceof ListValue ? listsEqual(left, right) : unlike(left, right);
  if (left instanceof MapValue) return right instanceof MapValue ? mapsEqual(left, right) : unlike(left, right);
  if (left instanceof StructValue || left instanceof OpaqueValue) return right !== null && left.equals(right);
  if (left instanceof Optional) return right instanceof Optional && optionalsEqual(left, right);
  if (left instanceof Uint8Array) {
    comparing.add(left.length >> CHARACTERS_PER_PART);
    return right instanceof Uint8Array && compareBytes(left, right) === 0;
  }
  if (left instanceof Type) return right instanceof Type && left.name === right.name;
  if (left instanceof Timestamp) {
    return right instanceof Timestamp && left.seconds === right.seconds && left.nanos === right.nanos;
  }
  if (left instanceof Duration) {
    return right instanceof Duration && left.seconds === right.seconds && left.nanos === right.nanos;
  }
  return false;
}

/** The same for parts of values that are compared: operators are charged for whole values alone. */
export function equalPart(left: Value, right: Value): boolean {
  comparing.add(1);
  return equal(left, right);
}

/** Whether two values are comparable and equal, as for `in`, `!=` and functions that search a value. */
export function surelyEqual(left: Value, right: Value): boolean {
  return compared(left, right) ?? false;
}

/** Undefined for values that cannot be compared. */
function compared(left: Value, right: Value): boolean | undefined {
  try {
    return equal(left, right);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

function unlike({ comparesOnlyAlike }: ListValue | MapValue, right: Value): false {
  if (comparesOnlyAlike === true && right !== null) throw new EvaluationError('no such overload');
  return false;
}

/** Whether two elements differ. In cel-go's own lists and maps incomparable elements do not. */
function partsDiffer(whole: ListValue | MapValue, left: Value, right: Value): boolean {
  if (whole.comparesOnlyAlike === true) return !equalPart(left, right);
  comparing.add(1);
  return compared(left, right) === false;
}

function listsEqual(left: ListValue, right: ListValue): boolean {
  if (left.equals !== undefined) return left.equals(right);
  if (left.size !== right.size) return false;
  for (let i = 0; i < left.size; i++) {
    if (partsDiffer(left, left.at(i), right.at(i))) return false;
  }
  return true;
}

function mapsEqual(left: MapValue, right: MapValue): boolean {
  if (left.equals !== undefined) return left.equals(right);
  if (left.size !== right.size) return false;
  for (const key of left.keys()) {
    const value = right.get(key);
    if (value === undefined || partsDiffer(left, left.get(key)!, value)) return false;
  }
  return true;
}

function optionalsEqual(left: Optional, right: Optional): boolean {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equalPart(left.value, right.value);
}
