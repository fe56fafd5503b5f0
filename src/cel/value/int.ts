// 64-bit integer arithmetic, signed and unsigned, on the two forms of an Int: numbers if all are safe integers, which
// costs one operation and one test, and bigints beyond that. Results are in canonical form.

import { EvaluationError } from './evaluation-error.ts';

/** A 64-bit integer: a number if it is a safe integer (never -0), otherwise a bigint. No other number is a value. */
export type Int = number | bigint;

/** An unsigned 64-bit integer; `value` as in Int. */
export class Uint {
  readonly value: Int;
  constructor(value: Int) {
    this.value = value;
  }
}

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/** The Int of a bigint, in its canonical form. */
export function canonicalInt(value: bigint): Int {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The int of a whole number of any size. Throws `integer overflow` outside of 64 bits. */
export function checkedInt(value: bigint): Int {
  if (value < INT_MIN || value > INT_MAX) throw new EvaluationError('integer overflow');
  return canonicalInt(value);
}

/** The uint of a whole number of any size. Throws `unsigned integer overflow` outside of 64 bits. */
export function checkedUint(value: bigint): Uint {
  if (value < 0n || value > UINT_MAX) throw new EvaluationError('unsigned integer overflow');
  return new Uint(canonicalInt(value));
}

export function isInt64(value: bigint): boolean {
  return value >= INT_MIN && value <= INT_MAX;
}

export function isUint64(value: bigint): boolean {
  return value >= 0n && value <= UINT_MAX;
}

export function addInt(left: Int, right: Int): Int {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checkedInt(BigInt(left) + BigInt(right));
}

export function subtractInt(left: Int, right: Int): Int {
  if (typeof left === 'number' && typeof right === 'number') {
    const difference = left - right;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checkedInt(BigInt(left) - BigInt(right));
}

export function multiplyInt(left: Int, right: Int): Int {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checkedInt(BigInt(left) * BigInt(right));
}

/** Rounds toward zero. Throws `division by zero`. */
export function divideInt(left: Int, right: Int): Int {
  if (right === 0) throw new EvaluationError('division by zero');
  if (typeof left === 'number' && typeof right === 'number') return (left - (left % right)) / right + 0;
  return checkedInt(BigInt(left) / BigInt(right));
}

/** Has the sign of the left operand. Throws `modulus by zero`. */
export function moduloInt(left: Int, right: Int): Int {
  if (right === 0) throw new EvaluationError('modulus by zero');
  if (typeof left === 'number' && typeof right === 'number') return (left % right) + 0;
  if (left === INT_MIN && right === -1) throw new EvaluationError('integer overflow');
  return canonicalInt(BigInt(left) % BigInt(right));
}

export function negateInt(operand: Int): Int {
  return typeof operand === 'number' ? 0 - operand : checkedInt(-operand);
}

export function addUint(left: Uint, right: Uint): Uint {
  return checkedUint(BigInt(left.value) + BigInt(right.value));
}

export function subtractUint(left: Uint, right: Uint): Uint {
  return checkedUint(BigInt(left.value) - BigInt(right.value));
}

export function multiplyUint(left: Uint, right: Uint): Uint {
  return checkedUint(BigInt(left.value) * BigInt(right.value));
}

/** Throws `division by zero`. */
export function divideUint(left: Uint, right: Uint): Uint {
  return new Uint(divideInt(left.value, right.value));
}

/** Throws `modulus by zero`. */
export function moduloUint(left: Uint, right: Uint): Uint {
  return new Uint(moduloInt(left.value, right.value));
}

/** Converts a double to an int, truncated toward zero. Throws `integer overflow`, also at the limits. */
export function intOfDouble(value: number): Int {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw new EvaluationError('integer overflow');
  return canonicalInt(BigInt(Math.trunc(value)));
}

/** Converts a double to a uint, truncated toward zero. Throws `unsigned integer overflow`. */
export function uintOfDouble(value: number): Uint {
  if (!(value >= 0 && value < 2 ** 64)) throw new EvaluationError('unsigned integer overflow');
  return new Uint(canonicalInt(BigInt(Math.trunc(value))));
}
