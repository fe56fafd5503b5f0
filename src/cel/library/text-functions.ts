// String functions: indexes count code points, and errors and edge cases are those of cel-go's strings library, version
// 2.

import { lookup } from '../../base/lookup.ts';
import { indexOfText, lastIndexOfText } from '../../base/text-search.ts';
import { unitIndex, unitsAt } from '../value/code-points.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { stringSize } from '../value/size.ts';
import type { Int } from '../value/value.ts';

/** The character at a position; '' right behind the last one. */
export function charAt(text: string, position: Int): string {
  const start = unitIndex(text, checkedPosition(text, position));
  return start === text.length ? '' : text.slice(start, start + unitsAt(text, start));
}

/** Returns where `part` starts, searching from `from`; -1 if it is not found. For the empty part always `from`. */
export function indexOf(text: string, part: string, from: Int): Int {
  if (part === '') return from;
  const start = positiveIndex(from);
  const found = indexOfText(text, part, unitIndex(text, start));
  return found < 0 ? -1 : stringSize(text.slice(0, found));
}

/** Where `part` begins for the last time. */
export function lastIndexOf(text: string, part: string): Int {
  const size = stringSize(text);
  if (part === '') return size;
  return size === 0 ? -1 : lastIndexFrom(text, part, size - 1);
}

/** Where `part` begins for the last time, at `from` at the latest; of the empty part `from`, whatever that is. */
export function lastIndexFrom(text: string, part: string, from: Int): Int {
  if (part === '') return from;
  const start = positiveIndex(from);
  if (start >= stringSize(text)) return -1;
  const found = lastIndexOfText(text, part, unitIndex(text, start));
  return found < 0 ? -1 : stringSize(text.slice(0, found));
}

function positiveIndex(position: Int): number {
  if (position < 0) throw outOfRange(position);
  return Number(position);
}

function checkedPosition(text: string, position: Int): number {
  // A text has at least half as many code points as units, so most positions need no counting.
  if (position < 0 || position > text.length) throw outOfRange(position);
  if (Number(position) * 2 > text.length && position > stringSize(text)) throw outOfRange(position);
  return Number(position);
}

function outOfRange(position: Int): EvaluationError {
  return new EvaluationError(`index out of range: ${position}`);
}

export function substring(text: string, from: Int): string {
  return text.slice(unitIndex(text, checkedPosition(text, from)));
}

export function substringBetween(text: string, from: Int, to: Int): string {
  if (from > to) throw new EvaluationError(`invalid substring range. start: ${from}, end: ${to}`);
  const start = unitIndex(text, checkedPosition(text, from));
  return text.slice(start, unitIndex(text, checkedPosition(text, to)));
}

/** One part of a text in place of another. The empty part is before each character and at the end. */
export interface Replacement {
  readonly old: string;
  readonly replacement: string;
}

/** Replaces the first `limit` occurrences of a part, all if negative. */
export function replace(text: string, { old, replacement }: Replacement, limit: Int): string {
  if (limit === 0 || old === replacement) return text;
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  if (old === '') return interleave(text, replacement, most);
  return splitAtMost(text, old, most + 1).join(replacement);
}

function interleave(text: string, replacement: string, most: number): string {
  const characters = [...text];
  let replaced = '';
  for (let index = 0; index <= characters.length; index++) {
    if (index < most) replaced += replacement;
    replaced += characters[index] ?? '';
  }
  return replaced;
}

/**
 * Returns the parts between separators, at most `limit`, all if negative; the empty separator splits between
 * characters.
 */
export function split(text: string, separator: string, limit: Int): string[] {
  if (limit === 0) return [];
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  if (separator !== '') return splitAtMost(text, separator, most);
  const characters = [...text];
  if (characters.length <= most) return characters;
  return [...characters.slice(0, most - 1), characters.slice(most - 1).join('')];
}

function splitAtMost(text: string, separator: string, most: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (pieces.length < most - 1) {
    const found = indexOfText(text, separator, start);
    if (found < 0) break;
    pieces.push(text.slice(start, found));
    start = found + separator.length;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** Removes white space at both ends, as defined by Unicode's property White_Space. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const WIDE_SPACE = /[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function isSpace(code: number): boolean {
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13);
  return WIDE_SPACE.test(String.fromCharCode(code));
}

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

const ESCAPES: Readonly<Record<string, string>> = lookup({
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
});

/** Returns the text as a string literal; only characters with a short escape are escaped. */
export function quote(text: string): string {
  const escaped = text.toWellFormed().replace(/[\x07-\r\\"]/g, (character) => ESCAPES[character] as string);
  return `"${escaped}"`;
}
