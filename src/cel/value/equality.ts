// Equality of values: numbers by what they are worth, lists item by item, maps by their keys' values, and values of
// different types never. Only opaque types may refuse to be compared.

import { Type } from '../types/type.ts';
import { compareBytes, isNumeric, numbersEqual } from './comparison.ts';
import { Duration } from './duration.ts';
import { Timestamp } from './timestamp.ts';
import { ListValue, MapValue, OpaqueValue, Optional, StructValue, type Value } from './value.ts';

/**
 * `left == right` of the language. What a list, map, struct or opaque value says of its own equality is asked of
 * `left`.
 */
export function equal(left: Value, right: Value): boolean {
  if (left === null || typeof left !== 'object') {
    return left === right || (isNumeric(left) && isNumeric(right) && numbersEqual(left, right));
  }
  if (isNumeric(left)) return isNumeric(right) && numbersEqual(left, right);
  if (left instanceof ListValue) return right instanceof ListValue && listsEqual(left, right);
  if (left instanceof MapValue) return right instanceof MapValue && mapsEqual(left, right);
  if (left instanceof StructValue || left instanceof OpaqueValue) return right !== null && left.equals(right);
  if (left instanceof Optional) return right instanceof Optional && optionalsEqual(left, right);
  if (left instanceof Uint8Array) return right instanceof Uint8Array && compareBytes(left, right) === 0;
  if (left instanceof Type) return right instanceof Type && left.name === right.name;
  if (left instanceof Timestamp) {
    return right instanceof Timestamp && left.seconds === right.seconds && left.nanos === right.nanos;
  }
  if (left instanceof Duration) {
    return right instanceof Duration && left.seconds === right.seconds && left.nanos === right.nanos;
  }
  return false;
}

function listsEqual(left: ListValue, right: ListValue): boolean {
  if (left.equals !== undefined) return left.equals(right);
  if (left.size !== right.size) return false;
  for (let i = 0; i < left.size; i++) {
    if (!equal(left.at(i), right.at(i))) return false;
  }
  return true;
}

function mapsEqual(left: MapValue, right: MapValue): boolean {
  if (left.equals !== undefined) return left.equals(right);
  if (left.size !== right.size) return false;
  for (const key of left.keys()) {
    const value = right.get(key);
    if (value === undefined || !equal(left.get(key)!, value)) return false;
  }
  return true;
}

function optionalsEqual(left: Optional, right: Optional): boolean {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equal(left.value, right.value);
}
