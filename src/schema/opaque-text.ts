// The texts of opaque values (RawExtension), which Kubernetes keeps as they were written: with their white space, escapes,
// duplicate members and forms of numbers. Programs compare these bytes, such as the DaemonSet controller those of its
// revisions. In memory such a value is JSON like any other, with the text in a property that copies do not have; in the
// JSON of an object the text stands in its place, and the object ends with a space if readers have to look for it.

import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import { JsonError, parseJson } from '../api/json-reader.ts';
import { copyJson, escapeHtml, stringifyJson } from '../api/json-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import type { Node, StructNode } from './node.ts';

const WRITTEN = Symbol('the text of an opaque value');

interface Carrier {
  [WRITTEN]?: string;
}

/** The text of an opaque value: as it was written, or else as Go writes it. */
export function opaqueText(value: Json): string {
  return writtenText(value) ?? plainText(value);
}

function writtenText(value: Json | undefined): string | undefined {
  return typeof value === 'object' && value !== null ? (value as Carrier)[WRITTEN] : undefined;
}

function plainText(value: Json): string {
  return escapeHtml(stringifyJson(value));
}

/** Keeps the text of which an opaque value was read, if Go would write another one. Only objects and lists have texts. */
export function noteText(value: Json, text: string): void {
  if (typeof value !== 'object' || value === null || text === plainText(value)) return;
  Object.defineProperty(value, WRITTEN, { value: text, configurable: true });
}

/** Whether the text of a value is still its own: whoever changes a value does not know of it. */
function isItsOwn(value: Json, text: string): boolean {
  try {
    return stringifyJson(parseJson(text)) === stringifyJson(value);
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}

/** By node: only a cache. */
const opaqueByNode = new WeakMap<Node, boolean>();

/** Whether values of a type may have opaque values in them. */
export function hasOpaque(node: Node): boolean {
  const known = opaqueByNode.get(node);
  if (known !== undefined) return known;
  // Types may contain themselves.
  opaqueByNode.set(node, false);
  const found = containsOpaque(node);
  opaqueByNode.set(node, found);
  return found;
}

function containsOpaque(node: Node): boolean {
  switch (node.kind) {
    case 'raw':
      return true;
    case 'list':
      return hasOpaque(node.items);
    case 'map':
      return hasOpaque(node.values);
    case 'struct':
      return node.form === undefined && [...node.jsonFields.values()].some((field) => hasOpaque(field.node));
    default:
      return false;
  }
}

/** Notes the texts of the opaque values in an object that was read of this JSON. */
export function noteTexts(type: StructNode | undefined, text: string, object: JsonObject): void {
  if (type === undefined || !hasOpaque(type)) return;
  new OpaqueScan(text, (value, { start, end }) => {
    const written = text.slice(start, end);
    if (value !== undefined && isItsOwn(value, written)) noteText(value, written);
  }).read(type, object);
}

/** A copy of an object, with the texts of its opaque values. */
export function copyWithTexts<T extends JsonObject>(type: StructNode | undefined, object: T): T {
  const copy = copyJson(object);
  if (type !== undefined) carryTexts(type, { from: object, to: copy });
  return copy;
}

/** Whether two values of a type that are equal as JSON are equal to Kubernetes, which compares the texts of opaque ones. */
export function sameTexts(node: Node, one: Json | undefined, other: Json | undefined): boolean {
  if (one === other || !hasOpaque(node)) return true;
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return true;
  if (node.kind === 'raw') return opaqueText(one) === opaqueText(other);
  if (Array.isArray(one) || Array.isArray(other)) {
    if (node.kind !== 'list' || !Array.isArray(one) || !Array.isArray(other)) return true;
    return one.every((item, index) => sameTexts(node.items, item, other[index]));
  }
  return Object.entries(one).every(([name, value]) => {
    const member = node.kind === 'map' ? node.values : node.kind === 'struct' && node.jsonFields.get(name)?.node;
    return !member || sameTexts(member, value, ownMember(other, name));
  });
}

/** Whether two values of a type are equal to Kubernetes; absent and null are. */
export function equalValues(node: Node, one: Json | undefined, other: Json | undefined): boolean {
  return one === other || (equalJson(one ?? null, other ?? null) && sameTexts(node, one, other));
}

/** A text as it is in the JSON of an object that Go writes. */
export function textInJson(text: string): string {
  return escapeHtml(compactJson(text));
}

/** A value, and a copy of it. */
interface Copy {
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** Gives the opaque values of a copy, which has none, the texts of the original, or what becomes of these. */
export function carryTexts(node: Node, { from, to }: Copy, become: (text: string) => string = String): void {
  if (typeof from !== 'object' || from === null || typeof to !== 'object' || to === null || !hasOpaque(node)) return;
  if (node.kind === 'raw') {
    const text = writtenText(from);
    if (text !== undefined) noteText(to, become(text));
  } else if (Array.isArray(from)) {
    if (node.kind !== 'list' || !Array.isArray(to)) return;
    for (const [index, item] of from.entries()) carryTexts(node.items, { from: item, to: to[index] }, become);
  } else if (!Array.isArray(to)) {
    for (const name of Object.keys(from)) {
      const member = node.kind === 'map' ? node.values : node.kind === 'struct' && node.jsonFields.get(name)?.node;
      if (member) carryTexts(member, { from: ownMember(from, name), to: ownMember(to, name) }, become);
    }
  }
}

/** The end of an object's JSON in which opaque values are as they were written. */
const MARKED_END = ' }';
const OBJECT_END = /\}$/;
const SPACE = 0x20;

/** Whether the JSON of an object has opaque values as they were written. */
export function keepsTexts(json: Uint8Array): boolean {
  return json[json.length - 2] === SPACE;
}

/**
 * The JSON of an object with its opaque values as they were written, or else as Go writes them; undefined if that is the
 * JSON it has.
 */
export function withTexts(type: StructNode, json: string, object: JsonObject): string | undefined {
  if (!hasOpaque(type)) return undefined;
  const pieces: string[] = [];
  let from = 0;
  let isMarked = false;
  new OpaqueScan(json, (value, { start, end }) => {
    const current = json.slice(start, end);
    const written = writtenText(value);
    const isKept = value !== undefined && written !== undefined && isItsOwn(value, written);
    const text = isKept ? written : escapeHtml(current);
    isMarked ||= isKept;
    if (text === current) return;
    pieces.push(json.slice(from, start), text);
    from = end;
  }).read(type, object);
  const text = pieces.join('') + json.slice(from);
  return isMarked ? text.replace(OBJECT_END, MARKED_END) : text;
}

/** JSON without white space between its tokens. */
export function compactJson(json: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < json.length; ) {
    const open = json.indexOf('"', at);
    const end = open < 0 ? json.length : open;
    pieces.push(json.slice(at, end).replace(WHITE_SPACE, ''));
    if (open < 0) break;
    at = closingQuote(json, open) + 1;
    pieces.push(json.slice(open, at));
  }
  return pieces.join('');
}

const WHITE_SPACE = /[ \t\r\n]/g;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Where the JSON of a value is in a text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

type Visit = (value: Json | undefined, place: Place) => void;

/** A walk over valid JSON and the value that was read of it, to the opaque values of a type. */
class OpaqueScan {
  readonly #text: string;
  readonly #visit: Visit;
  #at = 0;

  constructor(text: string, visit: Visit) {
    this.#text = text;
    this.#visit = visit;
  }

  read(node: Node | undefined, value: Json | undefined): void {
    this.#skipSpace();
    const opening = this.#text[this.#at];
    if (node?.kind === 'raw') this.#readOpaque(value);
    else if (node === undefined || !hasOpaque(node) || (opening !== '{' && opening !== '[')) this.#skipValue();
    else if (node.kind === 'list' && opening === '[') this.#readItems(node.items, value);
    else if (opening === '{') this.#readMembers(node, value);
    else this.#skipValue();
  }

  #readOpaque(value: Json | undefined): void {
    const start = this.#at;
    this.#skipValue();
    this.#visit(value, { start, end: this.#at });
  }

  #readItems(items: Node, value: Json | undefined): void {
    for (let index = 0; this.#opensNext(']'); index++) {
      this.read(items, Array.isArray(value) ? value[index] : undefined);
    }
  }

  #readMembers(node: Node, value: Json | undefined): void {
    while (this.#opensNext('}')) {
      const end = closingQuote(this.#text, this.#at) + 1;
      const name = parseJson(this.#text.slice(this.#at, end)) as string;
      this.#at = end;
      this.#skipSpace();
      this.#at++;
      const member = isObject(value) ? ownMember(value, name) : undefined;
      if (node.kind === 'map') this.read(node.values, member);
      else this.read(node.kind === 'struct' ? node.jsonFields.get(name)?.node : undefined, member);
    }
  }

  /** Steps over an opening bracket or comma; whether another item or member follows, instead of the end. */
  #opensNext(closing: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] === closing || this.#at >= this.#text.length) {
      this.#at++;
      return false;
    }
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] !== closing) return true;
    this.#at++;
    return false;
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #skipValue(): void {
    const text = this.#text;
    let depth = 0;
    do {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) this.#at = closingQuote(text, this.#at);
      else if (isOpening(code)) depth++;
      else if (isClosing(code)) depth--;
      else if (depth === 0) {
        this.#skipWord();
        return;
      }
      this.#at++;
    } while (depth > 0 && this.#at < text.length);
  }

  /** A number, or one of the words. */
  #skipWord(): void {
    const text = this.#text;
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === COMMA || isClosing(code) || isSpace(code)) return;
    }
  }
}

function isSpace(code: number): boolean {
  return code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;
}

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}

/** The end of the string that begins at `open`. */
function closingQuote(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}
