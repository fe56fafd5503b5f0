// Resolution of plain YAML 1.1 scalars as in Kubernetes: booleans, numbers, null. The reader uses it, and the writer
// quotes strings that would be resolved to something else.

import type { Json } from './object.ts';

/** A value that JSON cannot represent (`.inf`, `.nan`). */
export const NO_JSON: unique symbol = Symbol('no JSON form');

const WORDS: ReadonlyMap<string, Json | typeof NO_JSON> = new Map<string, Json | typeof NO_JSON>([
  ...cased('y', true),
  ...cased('yes', true),
  ...cased('on', true),
  ...cased('true', true),
  ...cased('n', false),
  ...cased('no', false),
  ...cased('off', false),
  ...cased('false', false),
  ...cased('null', null),
  ['', null],
  ['~', null],
  ...['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'].map(
    (word) => [word, NO_JSON] as [string, typeof NO_JSON],
  ),
]);

function cased(word: string, value: Json): [string, Json][] {
  const capital = (word[0] as string).toUpperCase() + word.slice(1);
  return [...new Set([word, capital, word.toUpperCase()])].map((each) => [each, value]);
}

const INTEGER = /^([-+]?)(?:0[bB]([01]+)|0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
/** Longer numbers are not 64-bit integers, and parsing them exactly would take long. */
const MAX_DIGITS = 100;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** The value of a plain scalar; a string by default. Timestamps are strings. */
export function resolvePlain(text: string): Json | typeof NO_JSON {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const code = text.charCodeAt(0);
  const isNumeric = (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
  return isNumeric ? (resolveNumber(text) ?? text) : text;
}

/** Underscores may separate digits. */
function resolveNumber(text: string): number | bigint | undefined {
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  const whole = digits.length > MAX_DIGITS ? null : INTEGER.exec(digits);
  if (whole !== null) return resolveInteger(whole);
  if (!FLOAT.test(digits)) return undefined;
  const value = Number(digits);
  // A number that is too large is a string.
  return Number.isFinite(value) ? value : undefined;
}

function resolveInteger([, sign, binary, hexadecimal, octal, decimal]: RegExpExecArray): number | bigint {
  const literal =
    binary !== undefined
      ? `0b${binary}`
      : hexadecimal !== undefined
        ? `0x${hexadecimal}`
        : octal !== undefined
          ? `0o${octal}`
          : decimal;
  const magnitude = BigInt(literal as string);
  const value = sign === '-' ? -magnitude : magnitude;
  const number = Number(value);
  return Number.isSafeInteger(number) || BigInt.asIntN(64, value) !== value ? number : value;
}

/** Base-60 values such as times of day, which older parsers take for numbers. */
function looksSexagesimal(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}

/** Whether an unquoted string would be read as a string again; other parsers would take dates for times. */
export function readsAsText(text: string): boolean {
  return typeof resolvePlain(text) === 'string' && !looksSexagesimal(text) && text !== '<<' && !TIMESTAMP.test(text);
}

const TIMESTAMP =
  /^[0-9]{4}(?:-[0-9]{1,2}){2}(?:[Tt][0-9]{1,2}(?::[0-9]{1,2}){2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})| [0-9]{1,2}(?::[0-9]{1,2}){2}(?:\.[0-9]+)?)?$/;
