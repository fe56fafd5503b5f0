// Resolution of plain YAML 1.1 scalars as in Kubernetes: booleans, numbers, null. The reader uses it, and the writer
// quotes strings that would be resolved to something else.

import { withoutLeadingZeros } from '../base/leading-zeros.ts';
import type { Json } from './object.ts';

/** A scalar that is not a string. The types are those of Kubernetes' parser, which tells 1 from 1.0 where they are keys. */
interface TypedScalar {
  readonly type: 'int' | 'uint' | 'float' | 'bool' | 'null';
  /** For `.inf` and `.nan`, which JSON cannot represent, the number. */
  readonly value: Json;
}

/** A string, or anything else with its type. */
export type Scalar = string | TypedScalar;

const WORDS: ReadonlyMap<string, TypedScalar> = new Map<string, TypedScalar>([
  ...['y', 'yes', 'on', 'true'].flatMap((word) => cased(word, { type: 'bool', value: true })),
  ...['n', 'no', 'off', 'false'].flatMap((word) => cased(word, { type: 'bool', value: false })),
  ...['', '~', ...['null', 'Null', 'NULL']].map(
    (word) => [word, { type: 'null', value: null }] as [string, TypedScalar],
  ),
  ...['.nan', '.NaN', '.NAN'].map((word) => floatWord(word, Number.NaN)),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => floatWord(word, Number.POSITIVE_INFINITY)),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => floatWord(word, Number.NEGATIVE_INFINITY)),
]);

function cased(word: string, scalar: TypedScalar): [string, TypedScalar][] {
  const capital = (word[0] as string).toUpperCase() + word.slice(1);
  return [...new Set([word, capital, word.toUpperCase()])].map((each) => [each, scalar]);
}

function floatWord(word: string, value: number): [string, TypedScalar] {
  return [word, { type: 'float', value }];
}

const INTEGER = /^([-+]?)(?:0([bB])([01]+)|0([xX])([0-9a-fA-F]+)|0([oO]?)([0-7]+)|(0|[1-9][0-9]*))$/;
/** More digits are not a 64-bit integer in any base, and parsing them exactly would take long. */
const MAX_DIGITS = 64;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** The value of a plain scalar; a string by default. Timestamps are strings. */
export function resolvePlain(text: string): Scalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const code = text.charCodeAt(0);
  const isNumeric = (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
  return isNumeric ? (resolveNumber(text) ?? text) : text;
}

/** Underscores may separate digits. */
function resolveNumber(text: string): TypedScalar | undefined {
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  const whole = INTEGER.exec(digits);
  const integer = whole === null ? undefined : resolveInteger(whole);
  if (integer !== undefined) return integer;
  if (!FLOAT.test(digits)) return undefined;
  const value = Number(digits);
  // A number that is too large is a string.
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

/** Undefined for what does not fit into 64 bits: a float if it is written as one, else a string. */
function resolveInteger(found: RegExpExecArray): TypedScalar | undefined {
  const [, sign, binary, binaryDigits, hexadecimal, hexadecimalDigits, , octalDigits, decimal] = found;
  const digits = withoutLeadingZeros(binaryDigits ?? hexadecimalDigits ?? octalDigits ?? decimal ?? '');
  if (digits.length > MAX_DIGITS) return undefined;
  const base =
    binary === undefined ? (hexadecimal === undefined ? (octalDigits === undefined ? '' : '0o') : '0x') : '0b';
  const magnitude = BigInt(`${base}${digits}`);
  const exact = sign === '-' ? -magnitude : magnitude;
  const number = Number(exact);
  if (Number.isSafeInteger(number)) return { type: 'int', value: number === 0 ? 0 : number };
  if (BigInt.asIntN(64, exact) === exact) return { type: 'int', value: exact };
  return sign === '' && BigInt.asUintN(64, exact) === exact ? { type: 'uint', value: exact } : undefined;
}

/** Base-60 values such as times of day, which older parsers take for numbers. */
function looksSexagesimal(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}

/** Whether a text has one of the forms of times. */
export function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text);
}

/** Whether an unquoted string would be read as a string again; other parsers would take dates for times. */
export function readsAsText(text: string): boolean {
  return typeof resolvePlain(text) === 'string' && !looksSexagesimal(text) && text !== '<<' && !TIMESTAMP.test(text);
}

const TIMESTAMP =
  /^[0-9]{4}(?:-[0-9]{1,2}){2}(?:[Tt][0-9]{1,2}(?::[0-9]{1,2}){2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})| [0-9]{1,2}(?::[0-9]{1,2}){2}(?:\.[0-9]+)?)?$/;
