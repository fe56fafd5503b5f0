// Limits of numbers in custom resources: multipleOf, minimum and maximum. Integers are compared as 64-bit integers, with
// limits that lose their fraction, and others as floats with Kubernetes' tolerance. From 1.36 on numbers and limits must
// be in the range of the type and its format as well; limits that are not are compared as floats.

import { goFloatText } from '../../api/go-number.ts';
import type { NumberType } from './number-type.ts';
import type { SchemaPart } from './schema-part.ts';

type NumberFault =
  | {
      /** How the value should relate to the limit; `factor` for a multipleOf that is not positive. */
      readonly about: string;
      /** As it was compared. */
      readonly limit: number | bigint;
    }
  /** What is out of the range of the type: the value or a limit. */
  | { readonly outOfRange: string };

/**
 * What a number violates, in Kubernetes' order.
 * @param isInteger whether it fits into 64 bits
 * @param type what it and its limits must be in the range of; undefined for nothing
 */
export function numberFaults(
  value: number | bigint,
  isInteger: boolean,
  { limits, type }: { readonly limits: SchemaPart['limits']; readonly type: NumberType | undefined },
): NumberFault[] {
  const { multipleOf, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = limits;
  const found: NumberFault[] = [];
  const isIn = (what: string, number: number | bigint) => {
    const fits = type === undefined || isInRange(number, type);
    if (!fits) found.push({ outOfRange: what });
    return fits;
  };
  isIn('Checked', value);
  const compared = isInteger ? value : Number(value);
  const limitOf = (limit: number, what: string) => (isIn(what, limit) && isInteger ? toInt64(limit) : limit);
  if (multipleOf !== undefined) {
    // A factor below one would be no integer: a whole number may have been written as a float.
    const known = limitOf(multipleOf, 'MultipleOf');
    const limit = multipleOf > 0 && multipleOf < 1 ? multipleOf : known;
    if (limit <= 0) found.push({ about: 'factor', limit });
    else if (!isMultiple(compared, limit)) found.push({ about: 'a multiple of', limit });
  }
  if (minimum !== undefined) {
    const limit = limitOf(minimum, 'Minimum boundary');
    if (exclusiveMinimum ? compared <= limit : compared < limit) {
      found.push({ about: exclusiveMinimum ? 'greater than' : 'greater than or equal to', limit });
    }
  }
  if (maximum !== undefined) {
    const limit = limitOf(maximum, 'Maximum boundary');
    if (exclusiveMaximum ? compared >= limit : compared > limit) {
      found.push({ about: exclusiveMaximum ? 'less than' : 'less than or equal to', limit });
    }
  }
  return found;
}

function isInRange(number: number | bigint, { name, format }: NumberType): boolean {
  if (name === 'number') return format !== 'float' || Number.isFinite(Math.fround(Number(number)));
  if (typeof number === 'number' && !Number.isInteger(number)) return false;
  const bits = format === 'int32' ? 31 : 63;
  return number >= -(2 ** bits) && number < 2 ** bits;
}

/** A limit in messages: integers in full, floats in Go's format. */
export function limitText(limit: number | bigint): string {
  return typeof limit === 'bigint' ? String(limit) : goFloatText(limit);
}

const MIN_INT64 = -(2n ** 63n);

/** A float as Go converts it on amd64: without its fraction, and out of range the smallest integer. */
function toInt64(limit: number): bigint {
  return Math.abs(limit) < 2 ** 63 ? BigInt(Math.trunc(limit)) : MIN_INT64;
}

function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (typeof factor === 'bigint') return BigInt(value) % factor === 0n;
  const number = Number(value);
  return isNearlyWhole(factor < 1 ? (1 / factor) * number : number / factor);
}

const TOLERANCE = 1e-9;

/** Whether a quotient is integral, or positive and negligibly more than an integer. */
function isNearlyWhole(quotient: number): boolean {
  if (!Number.isFinite(quotient) || Math.abs(quotient) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(quotient);
  if (whole === quotient) return true;
  return quotient >= 1 && (quotient - whole) / (quotient + whole) < TOLERANCE;
}
