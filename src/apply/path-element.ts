// Path elements in the text form of FieldsV1: `f:name` a field, `k:{"name":"app"}` an item of a keyed list, `v:"x"` a
// member of a set, `i:0` an item by index. Also their order and their form in messages.

import { isNumber } from '../api/is-object.ts';
import { parseJson } from '../api/json-reader.ts';
import { quoteJson } from '../api/json-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { lookup } from '../base/lookup.ts';

export type PathElement = string;

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The item of a keyed list; `keys` in any order. */
export function keyElement(keys: readonly (readonly [string, Json])[]): PathElement {
  const sorted = keys.length > 1 ? [...keys].sort(([one], [other]) => (one < other ? -1 : 1)) : keys;
  return `k:{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${scalarText(value)}`).join(',')}}`;
}

export function valueElement(value: Json): PathElement {
  return `v:${scalarText(value)}`;
}

/** A value as in elements: JSON as encoded by Go, because elements are compared as texts. */
export function scalarText(value: Json): string {
  if (typeof value === 'string') return quoteJson(value);
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/** The keys in a `k:` element. @throws JsonError for invalid JSON */
function keysOf(element: PathElement): [string, Json][] {
  const keys = parseJson(element.slice(2)) as JsonObject;
  return Object.keys(keys)
    .sort()
    .map((name) => [name, keys[name] as Json]);
}

const RANKS: Readonly<Record<string, number>> = lookup({ '.': 0, f: 1, k: 2, v: 3, i: 4 });

/** Kubernetes' order of elements: fields, keyed items, values, indexes. */
export function compareElements(one: PathElement, other: PathElement): number {
  if (one === other) return 0;
  const type = one.charAt(0);
  const rank = (RANKS[type] as number) - (RANKS[other.charAt(0)] as number);
  if (rank !== 0) return rank;
  if (type === 'k') return compareFirst(one, other) || compareKeys(keysOf(one), keysOf(other));
  if (type === 'v')
    return compareTexts(one, other) ?? compareScalars(parseJson(one.slice(2)), parseJson(other.slice(2)));
  if (type === 'i') return Number(one.slice(2)) - Number(other.slice(2));
  return one < other ? -1 : 1;
}

/** The order of two texts without escapes, as they are written; undefined for other values. */
function compareTexts(one: PathElement, other: PathElement): number | undefined {
  if (!one.startsWith('v:"') || !other.startsWith('v:"') || one.includes('\\') || other.includes('\\'))
    return undefined;
  return one.slice(0, -1) < other.slice(0, -1) ? -1 : 1;
}

const QUOTE = 0x22;

/**
 * Most items differ in their first key: the order of two such elements, if it is a text or a number, without parsing
 * them; 0 if that is impossible.
 */
function compareFirst(one: PathElement, other: PathElement): number {
  const start = one.indexOf('":') + 2;
  if (start < 2 || !other.startsWith(one.slice(0, start)) || one.includes('\\') || other.includes('\\')) return 0;
  const isText = one.charCodeAt(start) === QUOTE && other.charCodeAt(start) === QUOTE;
  return isText ? compareUntilQuote(one, other, start + 1) : compareIntegers(one, other, start);
}

function compareUntilQuote(one: PathElement, other: PathElement, start: number): number {
  for (let at = start; ; at++) {
    const left = one.charCodeAt(at);
    const right = other.charCodeAt(at);
    if (left === QUOTE || right === QUOTE) return left === right ? 0 : left === QUOTE ? -1 : 1;
    if (left !== right) return left - right;
  }
}

const ZERO = 0x30;
const NINE = 0x39;
const COMMA = 0x2c;
const CLOSE = 0x7d;

/** The end of the integer that is the value of a key; -1 for another value. */
function endOfInteger(element: PathElement, start: number): number {
  let end = start;
  while (element.charCodeAt(end) >= ZERO && element.charCodeAt(end) <= NINE) end++;
  const next = element.charCodeAt(end);
  return end > start && (next === COMMA || next === CLOSE) ? end : -1;
}

function compareIntegers(one: PathElement, other: PathElement, start: number): number {
  const end = endOfInteger(one, start);
  const otherEnd = endOfInteger(other, start);
  if (end < 0 || otherEnd < 0) return 0;
  if (end !== otherEnd) return end - otherEnd;
  const [left, right] = [one.slice(start, end), other.slice(start, end)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function compareKeys(one: [string, Json][], other: [string, Json][]): number {
  for (const [index, [name, value]] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (name !== against[0]) return name < against[0] ? -1 : 1;
    const order = compareScalars(value, against[1]);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** Numbers precede strings, strings precede booleans. */
function compareScalars(one: Json, other: Json): number {
  const kind = scalarRank(one) - scalarRank(other);
  if (kind !== 0) return kind;
  if (one === other || one === null || other === null) return 0;
  return one < other ? -1 : 1;
}

function scalarRank(value: Json): number {
  if (isNumber(value)) return 0;
  return typeof value === 'string' ? 1 : 2;
}

/** As in messages: `.spec`, `[name="app"]`, `[="x"]`, `[0]`. */
export function elementText(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${rest}`;
    case 'k':
      return `[${keysOf(element)
        .map(([name, value]) => `${name}=${messageText(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${messageText(parseJson(rest) as Json)}]`;
    default:
      return `[${rest}]`;
  }
}

/** As structured-merge-diff prints values: the members of a map follow each other without a separator. */
function messageText(value: Json): string {
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(messageText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return scalarText(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}=${messageText(member as Json)}`)
    .join('');
}
