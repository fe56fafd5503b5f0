// Conversion of values to and from text, in Go's formats.

import { Duration, formatDuration } from './duration.ts';
import { formatTimestamp, Timestamp } from './timestamp.ts';
import { Double, ListValue, Uint, type Value } from './value.ts';

/** Formats a double like Go's `%g`: the fewest digits that identify it, with an exponent below 1e-4 and from 1e6 on. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Go's strconv.ParseBool; undefined for other texts. */
export function parseBool(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : undefined;
}

/** A whole number in decimal digits with an optional sign; undefined for other texts. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const HEXADECIMAL = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i;

/** Go's strconv.ParseFloat; undefined for other texts and for numbers too large. */
export function parseDouble(written: string): number | undefined {
  const text = withoutSeparators(written);
  if (DECIMAL.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    if (special[2]!.toLowerCase() === 'nan') return special[1] === '' ? Number.NaN : undefined;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  return parseHexadecimal(text);
}

/** Go allows underscores between digits; others are left in place, which makes the text invalid. */
function withoutSeparators(text: string): string {
  if (!text.includes('_')) return text;
  const isHexadecimal = /^[+-]?0x/i.test(text);
  return isHexadecimal ? text.replace(/(?<=[\da-fx])_(?=[\da-f])/gi, '') : text.replace(/(?<=\d)_(?=\d)/g, '');
}

function parseHexadecimal(text: string): number | undefined {
  const match = HEXADECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const value = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(exponent) - 4 * fraction.length);
  if (!Number.isFinite(value)) return undefined;
  return sign === '-' ? -value : value;
}

/** A value as errors show it. */
export function formatValue(value: Value): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Double) return doubleText(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`;
  if (value instanceof ListValue) {
    return `[${Array.from({ length: value.size }, (_, i) => formatValue(value.at(i))).join(', ')}]`;
  }
  return 'name' in value && typeof value.name === 'string' ? value.name : 'value';
}
