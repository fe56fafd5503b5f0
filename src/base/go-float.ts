// Parsing of floating-point numbers as by Go's strconv, with its errors, for Kubernetes' flags.

import { goQuote } from './go-quote.ts';

const DIGITS = String.raw`\d+(?:_\d+)*`;
const DECIMAL = new RegExp(`^[+-]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:e[+-]?\\d+(?:_\\d+)*)?$`, 'i');
/** A hexadecimal number needs an exponent, of two. */
const HEX = /^([+-]?)0x([\da-f_]*)(?:\.([\da-f_]*))?p([+-]?\d+)$/i;
/** An underscore is followed by a digit, and preceded by one or by the prefix. */
const MISPLACED = /__|_[.p]|\._/i;
const SPECIAL = /^([+-]?)(inf|infinity|nan)$/i;

/** @throws Error with Go's message: `strconv.ParseFloat: parsing "x": invalid syntax` */
export function parseGoFloat(text: string, { bits = 64 }: { readonly bits?: 32 | 64 } = {}): number {
  const [, sign = '', name] = SPECIAL.exec(text) ?? [];
  if (name !== undefined) {
    if (name.toLowerCase() === 'nan') {
      if (sign === '') return Number.NaN;
      throw fault(text, 'invalid syntax');
    }
    return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  const value = DECIMAL.test(text) ? Number(text.replaceAll('_', '')) : parseHex(text);
  const rounded = bits === 32 ? Math.fround(value) : value;
  if (!Number.isFinite(rounded)) throw fault(text, 'value out of range');
  return value;
}

function parseHex(text: string): number {
  const [all, sign, whole = '', fraction = '', exponent = '0'] = HEX.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replaceAll('_', '');
  if (all === undefined || digits === '' || MISPLACED.test(all)) {
    throw fault(text, 'invalid syntax');
  }
  const shift = Number(exponent) - 4 * fraction.replaceAll('_', '').length;
  const size = Number(BigInt(`0x${digits}`)) * 2 ** shift;
  return sign === '-' ? -size : size;
}

function fault(text: string, why: string): Error {
  return new Error(`strconv.ParseFloat: parsing ${goQuote(text)}: ${why}`);
}
