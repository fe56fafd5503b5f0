// Formatting of doubles by the verbs of `format`: exact rounding with ties to even, grouping and signs as in American
// English, the only locale that Kubernetes uses.

import { withoutTrailing } from '../../base/without-trailing.ts';

const MANTISSA_BITS = 52n;
const EXPONENT_BIAS = 1075;
/** No double has more decimal places. */
const MAX_PLACES = 1_074;
/** Digits behind the point in scientific notation. */
const SCIENTIFIC_PLACES = 6;
/** Up to here JavaScript's own form is the same, except for ties. */
const MAX_FIXED = 1e15;
const MAX_FIXED_PLACES = 20;
/** Kubernetes' formatter stores widths and precisions in this many bits. */
const WIDTH_MASK = 0xffff;
const PRECISION_MASK = 0xff;

/** `-1234567.891000`: with so many decimal places; `NaN`, `+Inf`, `-Inf`. */
export function fixedText(value: number, places: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return sign + plainDecimal(value, places);
}

/** `-1,234,567.891000`: grouped, with so many decimal places; `NaN`, `∞`, `-∞`. */
export function groupedText(value: number, precision: number): string {
  if (!Number.isFinite(value)) return specialText(value);
  const [whole = '', fraction = ''] = plainDecimal(value, Math.min(precision, MAX_PLACES)).split('.');
  const kept = withoutTrailing(fraction, '0').padEnd(precision & PRECISION_MASK, '0');
  const grouped = inThousands(whole);
  return `${value < 0 ? '-' : ''}${grouped}${kept === '' ? '' : `.${kept}`}`;
}

function inThousands(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

/**
 * Returns `1.234568×10⁰⁶`: always six decimal places.
 * @param precision of the clause, which Kubernetes' formatter treats as a minimum width
 */
export function scientificText(value: number, precision: number): string {
  return scientificNumber(value).padStart(precision & WIDTH_MASK);
}

function scientificNumber(value: number): string {
  if (!Number.isFinite(value)) return specialText(value);
  const { digits, exponent } = significantDigits(Math.abs(value), SCIENTIFIC_PLACES + 1);
  const power = String(Math.abs(exponent)).padStart(2, '0');
  const raised = power.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] as string);
  const number = `${value < 0 ? '-' : ''}${digits.slice(0, 1)}.${digits.slice(1)}`;
  return `${number}×10${exponent < 0 ? '⁻' : ''}${raised}`;
}

function specialText(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

/** The magnitude with so many decimal places. */
function plainDecimal(value: number, places: number): string {
  const magnitude = Math.abs(value);
  if (places <= MAX_FIXED_PLACES && magnitude < MAX_FIXED && !isTie(magnitude, places))
    return magnitude.toFixed(places);
  const digits = rounded(magnitude, places)
    .toString()
    .padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Whether the digits after the last place are exactly a five, as far as doubles can represent them. */
function isTie(magnitude: number, places: number): boolean {
  const doubled = magnitude * 10 ** places * 2;
  return doubled > Number.MAX_SAFE_INTEGER || doubled % 2 === 1;
}

function significantDigits(value: number, count: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  const exponent = Number(value.toExponential().split('e')[1]);
  const digits = rounded(value, count - 1 - exponent).toString();
  // 9.9999999 becomes 10.
  return digits.length === count ? { digits, exponent } : { digits: digits.slice(0, count), exponent: exponent + 1 };
}

/** The magnitude times ten to the power of `places`, rounded. */
function rounded(value: number, places: number): bigint {
  const { mantissa, exponent } = parts(value);
  const numerator = mantissa * 10n ** BigInt(Math.max(places, 0)) * 2n ** BigInt(Math.max(exponent, 0));
  const denominator = 10n ** BigInt(Math.max(-places, 0)) * 2n ** BigInt(Math.max(-exponent, 0));
  const quotient = numerator / denominator;
  const twice = (numerator - quotient * denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** A finite magnitude as a whole number times a power of two. */
function parts(value: number): { mantissa: bigint; exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const exponent = Number(all >> MANTISSA_BITS);
  const fraction = all & ((1n << MANTISSA_BITS) - 1n);
  if (exponent === 0) return { mantissa: fraction, exponent: 1 - EXPONENT_BIAS };
  return { mantissa: fraction | (1n << MANTISSA_BITS), exponent: exponent - EXPONENT_BIAS };
}
