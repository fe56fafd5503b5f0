// YAML encoding with Kubernetes' formatting: sorted keys, lists not indented below their key, strings quoted where they
// would be read as something else, lines folded at 80 columns. Byte for byte, because people keep such output in files.

import { limits } from '../base/limits.ts';
import { sorting } from '../base/sorting.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import type { Json, JsonObject } from './object.ts';
import { byNaturalKey } from './yaml-key-order.ts';
import { readsAsText } from './yaml-scalar.ts';

const WIDTH = 80;
/** A longer key is written on a separate line after a question mark. */
const SIMPLE_KEY_BYTES = 128;
const STEP = 2;
/** Characters that are written before other work may run. */
const CHARACTERS_IN_STEP = 4_096;

/** The YAML text of a JSON value, ending in a line feed. Undefined members are omitted. */
export function stringifyYaml(value: Json): string {
  const pieces: string[] = [];
  atOnce(writingYaml(value, (piece) => pieces.push(piece)));
  return pieces.join('');
}

/** Writes the same text in pieces, in slices. */
export function* writingYaml(value: Json, put: (piece: string) => void): Steps<void> {
  const writer = new Writer();
  const steps = writer.root(value);
  while (steps.next().done !== true) {
    put(writer.take());
    yield;
  }
  put(writer.take());
}

/** A map with one potentially long list. */
interface YamlList {
  /** The other members. */
  readonly head: JsonObject;
  readonly name: string;
  /** Each is made in steps. */
  readonly items: Iterable<Steps<Json>>;
  /** Replaces an empty list. */
  readonly empty: Json;
}

/**
 * The same text as for the whole map, in pieces of at most an item: an item is only requested when the text before it
 * has been consumed.
 */
export function stringifyYamlList(list: YamlList): Iterable<string> {
  return new Writer().mapWithList(list);
}

function members(object: JsonObject): [string, Json][] {
  // Object.entries takes several times as long for many members.
  const found: [string, Json][] = [];
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value !== undefined) found.push([name, value]);
  }
  return found;
}

class Writer {
  #pending = '';
  #column = 0;
  /** Characters since other work could run. */
  #written = 0;

  /** The members of the map that was looked at last: listing many takes some time. */
  #looked: { readonly map: JsonObject; readonly members: [string, Json][] } | undefined;

  *root(value: Json): Steps<void> {
    if (this.#isBlock(value)) yield* this.#block(value, 0);
    else this.#scalarLine(value, 0);
  }

  *mapWithList({ head, name, items, empty }: YamlList): Iterable<string> {
    for (const [key, value] of [...members(head), [name, empty] satisfies [string, Json]].sort(byNaturalKey)) {
      if (key !== name) {
        yield* this.#pieces(this.#member(key, value, 0));
        continue;
      }
      this.#key(key, 0);
      let isEmptyList = true;
      for (const making of items) {
        if (isEmptyList) this.#line();
        isEmptyList = false;
        const item = yield* this.#made(making);
        yield* this.#pieces(this.#item(item, 0));
        yield this.take();
      }
      if (!isEmptyList) continue;
      this.#write(' ');
      this.#scalarLine(empty, 0);
    }
    yield this.take();
  }

  *#pieces(steps: Steps<void>): Iterable<string> {
    while (steps.next().done !== true) yield this.take();
  }

  /** An item that is made in steps, with nothing written meanwhile. */
  *#made(making: Steps<Json>): Generator<string, Json> {
    for (;;) {
      const step = making.next();
      if (step.done === true) return step.value;
      yield this.take();
    }
  }

  /** Whether so much was written that other work may run. */
  #isDue(): boolean {
    const isDue = this.#written >= CHARACTERS_IN_STEP;
    if (isDue) this.#written = 0;
    return isDue;
  }

  /** The text since the last call. */
  take(): string {
    const text = this.#pending;
    this.#pending = '';
    return text;
  }

  #isBlock(value: Json): value is Json[] | JsonObject {
    if (typeof value !== 'object' || value === null) return false;
    return Array.isArray(value) ? value.length > 0 : this.#members(value).length > 0;
  }

  #members(map: JsonObject): [string, Json][] {
    if (this.#looked?.map !== map) this.#looked = { map, members: members(map) };
    return this.#looked.members;
  }

  /** Nonempty lists and maps; the cursor is where the first item goes. */
  #block(value: Json[] | JsonObject, indent: number): Steps<void> {
    return Array.isArray(value) ? this.#list(value, indent) : this.#map(value, indent);
  }

  *#list(items: readonly Json[], indent: number): Steps<void> {
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#write(' '.repeat(indent));
      yield* this.#item(item, indent);
      if (this.#isDue()) yield;
    }
  }

  *#item(item: Json, indent: number): Steps<void> {
    this.#write('- ');
    if (this.#isBlock(item)) yield* this.#block(item, indent + STEP);
    else this.#scalarLine(item, indent);
  }

  *#map(object: JsonObject, indent: number): Steps<void> {
    const own = this.#members(object);
    this.#looked = undefined;
    if (own.length > limits.membersInStep) yield;
    const inOrder = yield* sorting(own, byNaturalKey);
    for (const [index, [key, value]] of inOrder.entries()) {
      if (index > 0) this.#write(' '.repeat(indent));
      yield* this.#member(key, value, indent);
      if (this.#isDue()) yield;
    }
  }

  *#member(key: string, value: Json, indent: number): Steps<void> {
    const isSimple = this.#key(key, indent);
    if (!this.#isBlock(value)) {
      this.#write(' ');
      this.#scalarLine(value, indent);
      return;
    }
    if (!isSimple) {
      // After a key on separate lines the block begins next to the colon.
      this.#write(' ');
      yield* this.#block(value, indent + STEP);
      return;
    }
    this.#line();
    const inner = Array.isArray(value) ? indent : indent + STEP;
    this.#write(' '.repeat(inner));
    yield* this.#block(value, inner);
  }

  /** @returns whether it is on the line of its value */
  #key(key: string, indent: number): boolean {
    const facts = analyse(key);
    const simple = !facts.breaks && isAtMost(key, SIMPLE_KEY_BYTES);
    if (!simple) this.#write('? ');
    this.#text(key, { indent, style: styleOf(key, facts, simple), fold: !simple });
    if (!simple) {
      if (this.#column > 0) this.#line();
      this.#write(' '.repeat(indent));
    }
    this.#write(':');
    return simple;
  }

  #scalarLine(value: Json, indent: number): void {
    if (typeof value === 'string')
      this.#text(value, { indent, style: styleOf(value, analyse(value), false), fold: true });
    else this.#write(plainText(value));
    if (this.#column > 0) this.#line();
  }

  #text(text: string, { indent, style, fold }: { indent: number; style: Style; fold: boolean }): void {
    const inner = indent + STEP;
    switch (style) {
      case 'plain':
        this.#folded(text, { inner, fold });
        break;
      case 'single':
        this.#write("'");
        this.#folded(text.replaceAll("'", "''"), { inner, fold });
        this.#write("'");
        break;
      case 'double':
        this.#doubleQuoted(text, { inner, fold });
        break;
      case 'literal':
        this.#literal(text, inner);
    }
  }

  /** A single space beyond the width becomes a line break. */
  #folded(text: string, { inner, fold }: { inner: number; fold: boolean }): void {
    if (!fold || this.#column + text.length <= WIDTH) {
      this.#write(text);
      return;
    }
    for (const part of text.split(/(?<=[^ ])( )(?=[^ ])/)) {
      if (part === ' ' && this.#column > WIDTH) this.#newLine(inner);
      else this.#write(part);
    }
  }

  #doubleQuoted(text: string, { inner, fold }: { inner: number; fold: boolean }): void {
    this.#write('"');
    let spaces = false;
    const characters = [...text];
    for (const [index, character] of characters.entries()) {
      const isInside = index > 0 && index < characters.length - 1;
      if (character === ' ' && fold && !spaces && isInside && this.#column > WIDTH) {
        this.#newLine(inner);
        if (characters[index + 1] === ' ') this.#write('\\');
        spaces = true;
        continue;
      }
      this.#write(escaped(character));
      spaces = character === ' ';
    }
    this.#write('"');
  }

  #literal(text: string, inner: number): void {
    const hint = text.startsWith(' ') || text.startsWith('\n') ? String(STEP) : '';
    const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
    this.#write(`|${hint}${chomp}`);
    this.#line();
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const [index, line] of lines.entries()) {
      if (line !== '') this.#write(' '.repeat(inner) + line);
      if (index < lines.length - 1 || text.endsWith('\n')) this.#line();
    }
  }

  #newLine(indent: number): void {
    this.#line();
    this.#write(' '.repeat(indent));
  }

  #line(): void {
    this.#pending += '\n';
    this.#column = 0;
  }

  #write(text: string): void {
    this.#pending += text;
    this.#column += text.length;
    this.#written += text.length;
  }
}

/** Whether a text has at most this number of bytes. */
function isAtMost(text: string, bytes: number): boolean {
  // A code unit takes at most three.
  return text.length * 3 <= bytes || new TextEncoder().encode(text).length <= bytes;
}

function plainText(value: Exclude<Json, string>): string {
  if (typeof value === 'number') return floatText(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
  return String(value);
}

/** Integers as they are; other numbers with an exponent outside 1e-4 to 1e6, with at least two digits. */
function floatText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString();
  const [mantissa = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

type Style = 'plain' | 'single' | 'double' | 'literal';

interface TextFacts {
  /** May be plain. */
  readonly plain: boolean;
  /** May be single-quoted. */
  readonly single: boolean;
  /** May be a block scalar. */
  readonly block: boolean;
  /** Contains line breaks. */
  readonly breaks: boolean;
}

// Not printable in YAML: control characters except the line feed, other line breaks, and characters outside the basic
// plane.
const SPECIAL = /[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const INDICATOR_FIRST = /^(?:[#,[\]{}&*!|>'"%@`]|[-?:](?:\s|$)|---|\.\.\.)/;
const INDICATOR_INSIDE = /.:(?:\s|$)|\s#/;
const OUTER_SPACE = /^[ \n]|[ \n]$/;

function analyse(text: string): TextFacts {
  const breaks = text.includes('\n');
  if (text === '') return { plain: true, single: true, block: false, breaks };
  const special = SPECIAL.test(text) || text.includes(' \n');
  const indicators = INDICATOR_FIRST.test(text) || INDICATOR_INSIDE.test(text);
  return {
    plain: !special && !breaks && !indicators && !OUTER_SPACE.test(text),
    single: !special,
    block: !special && !text.endsWith(' '),
    breaks,
  };
}

function styleOf(text: string, facts: TextFacts, isSimpleKey: boolean): Style {
  if (facts.breaks) return facts.block && !isSimpleKey ? 'literal' : 'double';
  if (!readsAsText(text)) return 'double';
  if (facts.plain) return 'plain';
  return facts.single ? 'single' : 'double';
}

const NAMED_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\0': '\\0',
    '\x07': '\\a',
    '\b': '\\b',
    '\t': '\\t',
    '\n': '\\n',
    '\v': '\\v',
    '\f': '\\f',
    '\r': '\\r',
    '\x1b': '\\e',
    '"': '\\"',
    '\\': '\\\\',
    '\u0085': '\\N',
    '\u2028': '\\L',
    '\u2029': '\\P',
  }),
);

function escaped(character: string): string {
  const named = NAMED_ESCAPES.get(character);
  if (named !== undefined) return named;
  if (!SPECIAL.test(character)) return character;
  const code = (character.codePointAt(0) as number).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}
