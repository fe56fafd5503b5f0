// Resource quantities ("100m", "1.5Gi", "1e3"): parsing, Kubernetes' canonical form, comparison and arithmetic. Amounts
// are exact: an integer times a power of ten, never a float.

import { withoutTrailing } from '../base/without-trailing.ts';

/** The family of suffixes in which a quantity was written and is formatted. */
type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** An amount of `mantissa` times ten to the power of `exponent`. */
export interface Quantity {
  readonly mantissa: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The original text, if Kubernetes prints it unchanged. */
  readonly text?: string;
}

/** An invalid quantity; the message is Kubernetes'. */
export class QuantityError extends Error {
  override name = 'QuantityError';
}

export const MALFORMED_QUANTITY =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const BAD_SUFFIX = "unable to parse quantity's suffix";
const BAD_NUMBER = 'unable to parse numeric part of quantity';

const NANO = -9;
/** Exponents beyond this number of digits are not worth exact arithmetic. */
const MAX_DIGITS = 1_000;
/** The maximum of binary quantities, 2^63 - 1. */
const MAX_BINARY = 2n ** 63n - 1n;

const DECIMAL_EXPONENTS = new Map([...'num'].map((suffix, index) => [suffix, NANO + 3 * index]));
DECIMAL_EXPONENTS.set('', 0);
for (const [index, suffix] of [...'kMGTPE'].entries()) DECIMAL_EXPONENTS.set(suffix, 3 * index + 3);
const DECIMAL_SUFFIXES = new Map([...DECIMAL_EXPONENTS].map(([suffix, exponent]) => [exponent, suffix]));
/** The suffix at index n stands for 2 to the power of 10 n. */
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const ZERO: Quantity = Object.freeze({ mantissa: 0n, exponent: 0, format: 'DecimalSI', text: '0' });
const PARTS = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/;

/**
 * Parses a quantity. Fractions of a nano are rounded away from zero; binary quantities are limited to 2^63 - 1.
 * @throws QuantityError with Kubernetes' message
 */
export function parseQuantity(text: string): Quantity {
  if (text === '0') return ZERO;
  const parts = text === '' ? null : PARTS.exec(text);
  if (parts === null) throw new QuantityError(MALFORMED_QUANTITY);
  const [, sign = '', whole = '', fraction = '', suffix = ''] = parts;
  if (text.length > MAX_DIGITS) throw new QuantityError(BAD_NUMBER);
  const found = readSuffix(suffix);
  // Without a digit it is zero, unless Kubernetes parses it as a big number, which requires one.
  if (whole === '' && fraction === '' && isReadAsBig(found)) throw new QuantityError(BAD_NUMBER);
  const leading = whole.replace(/^0+/, '') || '0';
  const digits = `${leading}${fraction}`;
  const amount = BigInt(digits);
  const mantissa = sign === '-' ? -amount : amount;
  if (found.format === 'BinarySI') return binaryQuantity({ text, leading, fraction, mantissa, power: found.exponent });
  const exponent = found.exponent - fraction.length;
  const { format } = found;
  if (exponent < NANO) return { ...roundAway(mantissa, exponent, NANO), format };
  const asIs = digits.length <= 18 && exponent % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0';
  return asIs ? { mantissa, exponent, format, text } : { mantissa, exponent, format };
}

function isReadAsBig({ exponent, format }: { exponent: number; format: QuantityFormat }): boolean {
  return format === 'BinarySI' ? exponent >= 50 : exponent < NANO;
}

function readSuffix(suffix: string): { exponent: number; format: QuantityFormat } {
  const decimal = DECIMAL_EXPONENTS.get(suffix);
  if (decimal !== undefined) return { exponent: decimal, format: 'DecimalSI' };
  const binary = BINARY_SUFFIXES.indexOf(suffix);
  if (binary > 0) return { exponent: binary * 10, format: 'BinarySI' };
  if (/^[eE][-+]?[0-9]{1,9}$/.test(suffix)) return { exponent: Number(suffix.slice(1)), format: 'DecimalExponent' };
  throw new QuantityError(BAD_SUFFIX);
}

function binaryQuantity(read: {
  text: string;
  leading: string;
  fraction: string;
  mantissa: bigint;
  power: number;
}): Quantity {
  const { text, leading, fraction, mantissa, power } = read;
  const unit = 1n << BigInt(power);
  const precise = 14 - leading.length - Math.floor((power * 3) / 10) >= 0;
  if (fraction === '' && precise) {
    const scaled = { mantissa: mantissa * unit, exponent: 0, format: 'BinarySI' as const };
    return (mantissa & 7n) !== 0n ? { ...scaled, text } : scaled;
  }
  const rounded = roundAway(mantissa * unit, -fraction.length, NANO);
  const limit = rounded.exponent < 0 ? MAX_BINARY * 10n ** BigInt(-rounded.exponent) : MAX_BINARY;
  if (magnitude(rounded.mantissa) > limit) {
    return { mantissa: rounded.mantissa < 0n ? -MAX_BINARY : MAX_BINARY, exponent: 0, format: 'BinarySI' };
  }
  const belowOne = rounded.exponent < 0 && magnitude(rounded.mantissa) < 10n ** BigInt(-rounded.exponent);
  return { ...rounded, format: belowOne ? 'DecimalSI' : 'BinarySI' };
}

/** The amount rounded away from zero to a multiple of ten to the power of `to`. */
function roundAway(mantissa: bigint, exponent: number, to: number): { mantissa: bigint; exponent: number } {
  if (exponent >= to || mantissa === 0n) return { mantissa, exponent: mantissa === 0n ? 0 : exponent };
  const sign = mantissa < 0n ? -1n : 1n;
  const drop = to - exponent;
  if (drop > magnitude(mantissa).toString().length) return { mantissa: sign, exponent: to };
  const step = 10n ** BigInt(drop);
  const kept = magnitude(mantissa) / step;
  return { mantissa: sign * (kept * step === magnitude(mantissa) ? kept : kept + 1n), exponent: to };
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/**
 * The canonical form of a quantity given as text, which may be that of a JSON number; undefined if invalid. Most texts are already
 * canonical and are returned after a scan of their characters.
 */
export function canonicalQuantity(given: string): string | undefined {
  const text = given.trim();
  const quick = canonicalInteger(text);
  if (quick !== undefined) return quick;
  try {
    return formatQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

/** The common case, up to nine digits and a suffix, without bigint; undefined otherwise. */
function canonicalInteger(text: string): string | undefined {
  let end = 0;
  let amount = 0;
  while (end < text.length && end < 10) {
    const digit = text.charCodeAt(end) - 48;
    if (digit < 0 || digit > 9) break;
    amount = amount * 10 + digit;
    end++;
  }
  if (end === 0 || end > 9 || text.charCodeAt(0) === 48) return undefined;
  const rest = text.length - end;
  if (rest < 2) {
    if (amount % 1000 !== 0) return rest === 0 || 'numkMGTPE'.includes(text[end] as string) ? text : undefined;
    const exponent = DECIMAL_EXPONENTS.get(text.slice(end));
    return exponent === undefined ? undefined : raisedDecimal(amount, exponent);
  }
  if (rest !== 2 || text.charCodeAt(end + 1) !== 105) return undefined;
  const unit = ' KMGTPE'.indexOf(text[end] as string);
  // Below 2^53 neither limits nor rounding apply.
  if (unit < 1 || amount * 1024 ** unit > Number.MAX_SAFE_INTEGER) return undefined;
  return amount % 1024 === 0 ? raisedBinary(amount, unit) : text;
}

function raisedDecimal(amount: number, exponent: number): string {
  let number = amount;
  let power = exponent;
  while (number % 1000 === 0) {
    number /= 1000;
    power += 3;
  }
  return `${number}${DECIMAL_SUFFIXES.get(power) ?? `e${power}`}`;
}

function raisedBinary(amount: number, from: number): string {
  let number = amount;
  let unit = from;
  while (number % 1024 === 0) {
    number /= 1024;
    unit++;
  }
  return `${number}${BINARY_SUFFIXES[unit]}`;
}

/** Kubernetes' formatting of a quantity. */
export function formatQuantity(quantity: Quantity): string {
  const { mantissa, exponent, format } = quantity;
  if (quantity.text !== undefined) return quantity.text;
  if (mantissa === 0n) return '0';
  if (format === 'BinarySI') {
    const whole = wholeAmount(mantissa, exponent);
    if (whole !== undefined && magnitude(whole) >= 1024n) return binaryText(whole);
  }
  return decimalText(mantissa, exponent, format === 'DecimalExponent');
}

function wholeAmount(mantissa: bigint, exponent: number): bigint | undefined {
  if (exponent >= 0) return mantissa * 10n ** BigInt(exponent);
  const step = 10n ** BigInt(-exponent);
  return mantissa % step === 0n ? mantissa / step : undefined;
}

function binaryText(whole: bigint): string {
  let amount = whole;
  let unit = 0;
  while (unit < BINARY_SUFFIXES.length - 1 && amount % 1024n === 0n) {
    amount /= 1024n;
    unit++;
  }
  return `${amount}${BINARY_SUFFIXES[unit]}`;
}

function decimalText(mantissa: bigint, exponent: number, exponential: boolean): string {
  const digits = mantissa.toString();
  const zeros = digits.length - withoutTrailing(digits, '0').length;
  const raised = exponent + zeros;
  const shift = ((raised % 3) + 3) % 3;
  const number = digits.slice(0, digits.length - zeros) + '0'.repeat(shift);
  const power = raised - shift;
  const suffix = exponential ? undefined : DECIMAL_SUFFIXES.get(power);
  // Beyond E there is no suffix; the exponent is written out, because the amount would be wrong without it.
  return `${number}${suffix ?? (power === 0 ? '' : `e${power}`)}`;
}

/** -1, 0 or 1 if `one` is less than, equal to or greater than `other`. */
export function compareQuantities(one: Quantity, other: Quantity): -1 | 0 | 1 {
  if (one.exponent === other.exponent) return compareBigInts(one.mantissa, other.mantissa);
  const signs = compareBigInts(signOf(one.mantissa), signOf(other.mantissa));
  if (signs !== 0 || one.mantissa === 0n) return signs;
  const orders = orderOf(one) - orderOf(other);
  if (orders !== 0) return orders > 0 === one.mantissa > 0n ? 1 : -1;
  const [left, right] = aligned(one, other);
  return compareBigInts(left, right);
}

/** The number of digits before the decimal point (negative if zeros follow it). */
function orderOf({ mantissa, exponent }: Quantity): number {
  return magnitude(mantissa).toString().length + exponent;
}

function signOf(amount: bigint): bigint {
  if (amount === 0n) return 0n;
  return amount < 0n ? -1n : 1n;
}

function compareBigInts(one: bigint, other: bigint): -1 | 0 | 1 {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function aligned(one: Quantity, other: Quantity): [bigint, bigint, number] {
  const exponent = Math.min(one.exponent, other.exponent);
  return [
    one.mantissa * 10n ** BigInt(one.exponent - exponent),
    other.mantissa * 10n ** BigInt(other.exponent - exponent),
    exponent,
  ];
}

/**
 * The sum, in the format of `one` unless that is zero. If the amounts are more than a thousand digits apart, the larger
 * one is the sum, because the smaller is negligible.
 */
export function addQuantities(one: Quantity, other: Quantity): Quantity {
  if (other.mantissa === 0n) return one;
  if (one.mantissa === 0n) return other;
  const { format } = one;
  if (Math.abs(one.exponent - other.exponent) > MAX_DIGITS) {
    const { mantissa, exponent } = orderOf(one) > orderOf(other) ? one : other;
    return { mantissa, exponent, format };
  }
  const [left, right, exponent] = aligned(one, other);
  return { mantissa: left + right, exponent, format };
}

/** `one` minus `other`. */
export function subtractQuantities(one: Quantity, other: Quantity): Quantity {
  const { mantissa, exponent, format } = other;
  return addQuantities(one, { mantissa: -mantissa, exponent, format });
}

/**
 * Rounded away from zero to a multiple of ten to the power of `exponent`. Resource lists are stored in thousandths
 * (-3).
 */
export function roundUpQuantity(quantity: Quantity, exponent: number): Quantity {
  if (quantity.exponent >= exponent) return quantity;
  return { ...roundAway(quantity.mantissa, quantity.exponent, exponent), format: quantity.format };
}

/** The amount as an integer, rounded away from zero. @throws QuantityError if it has over a thousand digits */
export function quantityValue(quantity: Quantity): bigint {
  const { mantissa, exponent } = roundAway(quantity.mantissa, quantity.exponent, 0);
  if (exponent > MAX_DIGITS) throw new QuantityError(BAD_NUMBER);
  return mantissa * 10n ** BigInt(exponent);
}
