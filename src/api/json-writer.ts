// JSON encoding and copying. Integers beyond 2^53 are bigint in memory and plain digits in JSON.

import { limits } from '../base/limits.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { setMember } from './json-decoder.ts';
import { longJson } from './long-json-writer.ts';
import { isDisordered } from './member-order.ts';
import type { Json, JsonObject } from './object.ts';

/**
 * The JSON text of a value; undefined members are omitted.
 * @param options.pretty indented by two spaces, as for `?pretty=true`; without a trailing line feed
 */
export function stringifyJson(value: unknown, options: { readonly pretty?: boolean } = {}): string {
  const indent = options.pretty === true ? 2 : undefined;
  try {
    const text = stringifyRecursively(value, indent);
    if (text === undefined || !(indent === undefined ? STARTS_WITH_DIGIT : STARTS_WITH_DIGIT_INDENTED).test(text))
      return text;
    if (!isDisordered(value)) return text;
    const ordered = atOnce(longJson(value as Json)).join('');
    return indent === undefined ? ordered : indented(ordered);
  } catch (error) {
    // Which objects JSON.stringify encodes without recursion, and so at any depth, is up to the runtime.
    if (!(error instanceof RangeError) || indent !== undefined) throw error;
    return atOnce(longJson(value as Json)).join('');
  }
}

/** An object, in its JSON, that may have keys which the runtime moves to the front. */
const STARTS_WITH_DIGIT = /\{"\d/;
const STARTS_WITH_DIGIT_INDENTED = /\{\n *"\d/;

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^"{}[\],:]+/g;

/** Compact JSON with the line breaks and spaces of JSON.stringify with an indent of two. */
function indented(compact: string): string {
  let text = '';
  let depth = 0;
  let last = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const token of compact.match(TOKENS) ?? []) {
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth--;
    if (isClosing ? last !== '{' && last !== '[' : last === '{' || last === '[') text += line();
    text += token;
    if (token === ',') text += line();
    else if (token === ':') text += ' ';
    else if (token === '{' || token === '[') depth++;
    last = token;
  }
  return text;
}

function stringifyRecursively(value: unknown, indent: number | undefined): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // The runtime rejects bigint; checking in advance would cost a walk over every object without any.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, rawInteger, indent);
  }
}

function rawInteger(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJson(value.toString()) : value;
}

/** A value that is encoded as the given text, which is that of a scalar. */
export function rawJson(text: string): unknown {
  return JSON_RAW.rawJSON(text);
}

/** ES2025's JSON.rawJSON, which the configured library does not declare yet. */
const JSON_RAW = JSON as unknown as { rawJSON(text: string): unknown };

const MEANS_SOMETHING_IN_HTML = /[<>&\u2028\u2029]/;
const ALL_OF_THEM = /[<>&\u2028\u2029]/g;

/** JSON text as encoded by Go: HTML special characters are escaped. They only occur in strings. */
export function escapeHtml(json: string): string {
  if (!MEANS_SOMETHING_IN_HTML.test(json)) return json;
  return json.replace(ALL_OF_THEM, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const IS_PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/** A JSON string as encoded by Go. */
export function quoteJson(text: string): string {
  return IS_PLAIN.test(text) ? `"${text}"` : escapeHtml(JSON.stringify(text));
}

/** Below this depth a copy uses an explicit stack; the runtime's is too small for what decoding accepts. */
const RECURSION_DEPTH = 500;

/** A deep copy of a JSON value. Every key is kept, including `__proto__`. */
export function copyJson<T>(value: T): T {
  return copyValue(value as Json, 0) as T;
}

function copyValue(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > RECURSION_DEPTH) return copyDeep(value);
  if (Array.isArray(value)) {
    const list: Json[] = new Array(value.length);
    for (let index = 0; index < value.length; index++) list[index] = copyValue(value[index] as Json, depth + 1);
    return list;
  }
  const object: JsonObject = {};
  for (const key in value) {
    const member = value[key] as Json;
    const copied = typeof member === 'object' && member !== null ? copyValue(member, depth + 1) : member;
    if (key === '__proto__') setMember(object, key, copied);
    else object[key] = copied;
  }
  return object;
}

function copyDeep(root: Json[] | JsonObject): Json {
  return atOnce(copyingJson(root));
}

/** Like copyJson, in slices. */
export function* copyingJson<T extends Json>(root: T): Steps<T> {
  if (typeof root !== 'object' || root === null) return root;
  const copied = emptyLike(root);
  const open: { from: Json[] | JsonObject; to: Json[] | JsonObject }[] = [{ from: root, to: copied }];
  let left: number = limits.membersInStep;
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const { from, to } = pair;
    for (const key in from) {
      if (--left < 0) {
        left = limits.membersInStep;
        yield;
      }
      const member = (from as JsonObject)[key] as Json;
      const isOpen = typeof member === 'object' && member !== null;
      const value = isOpen ? emptyLike(member) : member;
      if (isOpen) open.push({ from: member, to: value as Json[] | JsonObject });
      if (Array.isArray(to)) to.push(value);
      else setMember(to, key, value);
    }
  }
  return copied as T;
}

function emptyLike(value: Json[] | JsonObject): Json[] | JsonObject {
  return Array.isArray(value) ? [] : {};
}
