// Order of values: numbers of all three types, strings by code points, bytes, booleans, timestamps and durations. Other
// types have no order.

import { Duration } from './duration.ts';
import { EvaluationError } from './evaluation-error.ts';
import { Timestamp } from './timestamp.ts';
import { Double, type Int, Uint, type Value } from './value.ts';

/** Below zero, zero or above, as `left` is less than, equal to or greater than `right`. */
export type Order = number;

/**
 * Compares two values. An int or uint against a double is compared as a double where the double is in its range, as
 * cel-go does. Throws `no such overload` for types without an order between them and an error for NaN.
 */
export function compare(left: Value, right: Value): Order {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string') return typeof right === 'string' ? compareStrings(left, right) : unordered();
  if (typeof left === 'boolean') return typeof right === 'boolean' ? Number(left) - Number(right) : unordered();
  if (isNumeric(left)) return isNumeric(right) ? compareNumbers(left, right) : unordered();
  if (left instanceof Timestamp) return right instanceof Timestamp ? compareTimes(left, right) : unordered();
  if (left instanceof Duration) return right instanceof Duration ? compareTimes(left, right) : unordered();
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? compareBytes(left, right) : unordered();
  return unordered();
}

function unordered(): never {
  throw new EvaluationError('no such overload');
}

/** By code points, which is the order of the strings' UTF-8 bytes; JavaScript's own order is by UTF-16 units. */
export function compareStrings(left: string, right: string): Order {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Surrogates represent code points above all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x2800 : unit;
}

export function compareBytes(left: Uint8Array, right: Uint8Array): Order {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const difference = left[i]! - right[i]!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function compareInts(left: Int, right: Int): Order {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareTimes(left: Timestamp | Duration, right: Timestamp | Duration): Order {
  return left.seconds === right.seconds ? left.nanos - right.nanos : left.seconds - right.seconds;
}

export function isNumeric(value: Value): value is Int | Uint | Double {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Uint;
}

function compareNumbers(left: Int | Uint | Double, right: Int | Uint | Double): Order {
  if (left instanceof Double) {
    if (Number.isNaN(left.value) || (right instanceof Double && Number.isNaN(right.value))) return notANumber();
    return right instanceof Double ? compareDoubles(left.value, right.value) : compareDoubleTo(left.value, right);
  }
  if (right instanceof Double) {
    if (Number.isNaN(right.value)) return notANumber();
    return -compareDoubleTo(right.value, left);
  }
  return compareInts(wholeOf(left), wholeOf(right));
}

function notANumber(): never {
  throw new EvaluationError('NaN values cannot be ordered');
}

function wholeOf(value: Int | Uint): Int {
  return value instanceof Uint ? value.value : value;
}

function compareDoubles(left: number, right: number): Order {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A double that is a number against a whole one, which becomes a double if the double is in its type's range. */
function compareDoubleTo(left: number, right: Int | Uint): Order {
  if (right instanceof Uint) {
    if (left < 0) return -1;
    if (left > 2 ** 64) return 1;
    return compareDoubles(left, Number(right.value));
  }
  if (left < -(2 ** 63)) return -1;
  if (left > 2 ** 63) return 1;
  return compareDoubles(left, Number(right));
}

/** Whether two numbers are equal, whatever their types; NaN equals nothing. */
export function numbersEqual(left: Int | Uint | Double, right: Int | Uint | Double): boolean {
  if ((left instanceof Double && Number.isNaN(left.value)) || (right instanceof Double && Number.isNaN(right.value))) {
    return false;
  }
  return compareNumbers(left, right) === 0;
}
