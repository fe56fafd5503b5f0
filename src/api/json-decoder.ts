// The slow JSON decoder, for what JSON.parse cannot do: 64-bit integers, duplicate members and their paths, a limit on
// depth, and syntax errors in the words that Kubernetes' clients know. It has an explicit stack, so that no text
// exhausts the runtime's, and can pause anywhere, so that no text delays other work for long.

import { limits } from '../base/limits.ts';
import { isObject } from './is-object.ts';
import { keptByte } from './json-text.ts';
import type { Json, JsonObject } from './object.ts';

/** A syntax error; the message is that of Go's decoder. */
export class JsonError extends Error {
  override name = 'JsonError';
}

export interface DecodeJsonOptions {
  /** Duplicate objects are merged, as for built-in kinds; otherwise the last of duplicate members wins. */
  readonly mergeRepeated?: boolean;
  /** Called for each member in the order of the text: its path (`spec.ports[0].name`) and whether it is a duplicate. */
  readonly member?: (path: string, repeated: boolean) => void;
  /** Called for each number with a point or an exponent, or with more than 64 bits. */
  readonly float?: (path: string, literal: string) => void;
  /** Called for each value that a later duplicate replaces: a document with only its path. */
  readonly replaced?: (document: Json) => void;
  /** A number out of range is Infinity, as in JSON.parse, and not an error. */
  readonly infinite?: boolean;
  /** Called with the number of members of an object as it grows; throws if there are too many. */
  readonly checkWidth?: (members: number) => void;
}

/** @throws JsonError */
export function decodeJson(text: string, options: DecodeJsonOptions = {}): Json {
  const decoder = new JsonDecoder(text, options);
  decoder.read(Number.POSITIVE_INFINITY);
  return decoder.value;
}

/** Sets a member with any name: an assignment would lose `__proto__`. */
export function setMember(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

interface Frame {
  /** One of the two is present. */
  readonly list: Json[] | undefined;
  readonly object: JsonObject | undefined;
  readonly path: string;
  key: string;
  /** The members so far in this text; the object may have more, from an earlier duplicate. */
  readonly names?: Set<string>;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const WORDS = new Map<string, { word: string; value: Json }>([
  ['t', { word: 'true', value: true }],
  ['f', { word: 'false', value: false }],
  ['n', { word: 'null', value: null }],
]);
const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);
/**
 * JSON has no leading zeros: a longer number is not a 64-bit integer, and parsing millions of digits takes a second.
 */
const INT64_CHARACTERS = 20;
const LOWEST_INT64 = -(2n ** 63n);
const HIGHEST_INT64 = 2n ** 63n - 1n;

/** The cost of a token besides its characters, in characters. */
const TOKEN_COST = 16;
/** Characters of a string that are scanned before the remaining budget is checked. */
const STRING_PIECE = 8_192;

/** The decoding of one text. */
export class JsonDecoder {
  readonly #text: string;
  readonly #options: DecodeJsonOptions;
  /** Whether paths are needed. */
  readonly #watched: boolean;
  readonly #number = new RegExp(NUMBER);
  readonly #frames: Frame[] = [];
  #at = 0;
  /** The remaining budget of this slice, in characters. */
  #left = 0;
  /** Whether a member's name comes next, rather than a value. */
  #atName = false;
  /** The beginning of a string whose rest is read in the next slice. */
  #half: string | undefined;
  /** The value, once it is complete. */
  value: Json = null;
  /** The number of members of all objects so far, including duplicates. */
  members = 0;
  /** Whether there was a duplicate. */
  repeats = false;
  /** Whether there was a number for which `float` is called. */
  hasFloats = false;

  constructor(text: string, options: DecodeJsonOptions = {}) {
    this.#text = text;
    this.#options = options;
    this.#watched = options.member !== undefined || options.float !== undefined;
  }

  /**
   * Continues for about this number of characters; returns whether the text is complete.
   * @throws JsonError, and what `checkWidth` throws
   */
  read(characters: number): boolean {
    this.#left = characters;
    while (this.#left > 0) {
      const from = this.#at;
      if (this.#step()) return true;
      this.#left -= this.#at - from + TOKEN_COST;
    }
    return false;
  }

  #step(): boolean {
    if (this.#atName) {
      this.#memberName();
      return false;
    }
    let value = this.#half === undefined ? this.#opening() : this.#string();
    while (value !== undefined) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) {
        if (this.#peek() !== '') this.#fail('after top-level value');
        this.value = value;
        return true;
      }
      value = this.#attach(frame, value);
    }
    return false;
  }

  /** Reads a scalar or an empty list or object; undefined if one with content was opened, or a string is incomplete. */
  #opening(): Json | undefined {
    const character = this.#peek();
    if (character === '[') {
      this.#push({ list: [], object: undefined, path: this.#here(), key: '' });
      return this.#closes(']') ? this.#pop() : undefined;
    }
    if (character === '{') {
      this.#push({ list: undefined, object: this.#mergeTarget() ?? {}, path: this.#here(), key: '', names: new Set() });
      if (this.#closes('}')) return this.#pop();
      this.#atName = true;
      return undefined;
    }
    return this.#scalar(character);
  }

  #push(frame: Frame): void {
    this.#at++;
    if (this.#frames.length >= limits.documentDepth) throw new JsonError('exceeded max depth');
    this.#frames.push(frame);
  }

  #pop(): Json {
    this.#at++;
    const frame = this.#frames.pop() as Frame;
    return frame.list ?? (frame.object as JsonObject);
  }

  /** Adds a value to its list or object; returns that if it ends here. */
  #attach(frame: Frame, value: Json): Json | undefined {
    const after = this.#peek();
    if (frame.list !== undefined) {
      frame.list.push(value);
      if (after === ']') return this.#pop();
      if (after !== ',') this.#fail('after array element');
      this.#at++;
      return undefined;
    }
    if (this.#options.replaced !== undefined) this.#noteReplaced(frame, value);
    setMember(frame.object as JsonObject, frame.key, value);
    if (after === '}') return this.#pop();
    if (after !== ',') this.#fail('after object key:value pair');
    this.#at++;
    this.#atName = true;
    return undefined;
  }

  #noteReplaced({ object, key }: Frame, value: Json): void {
    if (object === undefined || !Object.hasOwn(object, key) || object[key] === value) return;
    let document = object[key] as Json;
    for (const frame of this.#frames.toReversed()) {
      if (frame.list !== undefined) document = [document];
      else {
        const holder: JsonObject = {};
        setMember(holder, frame.key, document);
        document = holder;
      }
    }
    this.#options.replaced?.(document);
  }

  #memberName(): void {
    const frame = this.#frames.at(-1) as Frame;
    if (this.#half === undefined && this.#peek() !== '"') this.#fail('looking for beginning of object key string');
    const name = this.#string();
    if (name === undefined) return;
    this.#atName = false;
    this.members++;
    frame.key = name;
    const repeated = frame.names?.has(frame.key) === true;
    this.repeats ||= repeated;
    this.#options.member?.(this.#here(), repeated);
    frame.names?.add(frame.key);
    this.#options.checkWidth?.(frame.names?.size ?? 0);
    if (this.#peek() !== ':') this.#fail('after object key');
    this.#at++;
  }

  /** The earlier duplicate that the next object is merged into. */
  #mergeTarget(): JsonObject | undefined {
    const frame = this.#frames.at(-1);
    if (this.#options.mergeRepeated !== true || frame?.object === undefined) return undefined;
    if (!Object.hasOwn(frame.object, frame.key)) return undefined;
    const before = frame.object[frame.key];
    return isObject(before) ? before : undefined;
  }

  /** The path of the next value; empty unless needed. */
  #here(): string {
    const frame = this.#frames.at(-1);
    if (frame === undefined || !this.#watched) return '';
    if (frame.list !== undefined) return `${frame.path}[${frame.list.length}]`;
    return frame.path === '' ? frame.key : `${frame.path}.${frame.key}`;
  }

  #closes(closing: string): boolean {
    return this.#peek() === closing;
  }

  #scalar(character: string): Json | undefined {
    if (character === '"') return this.#string();
    if (character === '-' || (character >= '0' && character <= '9')) return this.#numeral();
    const found = WORDS.get(character);
    if (found === undefined) return this.#fail('looking for beginning of value');
    for (const expected of found.word) {
      if (this.#text[this.#at] !== expected) this.#fail(`in literal ${found.word} (expecting '${expected}')`, true);
      this.#at++;
    }
    return found.value;
  }

  #numeral(): number | bigint {
    this.#number.lastIndex = this.#at;
    const found = this.#number.exec(this.#text);
    if (found === null) {
      this.#at++;
      return this.#fail('in numeric literal', true);
    }
    const [literal, fraction, exponent] = found;
    this.#at += literal.length;
    this.#endNumeral(fraction, exponent);
    // An integer has no negative zero.
    const value = literal === '-0' ? 0 : Number(literal);
    const mayBeInt64 = literal.length <= INT64_CHARACTERS && !Number.isSafeInteger(value);
    if (fraction === undefined && exponent === undefined && mayBeInt64) {
      const whole = BigInt(literal);
      if (whole >= LOWEST_INT64 && whole <= HIGHEST_INT64) return whole;
    }
    if (fraction !== undefined || exponent !== undefined || !Number.isSafeInteger(value)) {
      this.hasFloats = true;
      this.#options.float?.(this.#here(), literal);
    }
    if (!Number.isFinite(value) && this.#options.infinite !== true) {
      throw new JsonError(`json: cannot unmarshal number ${literal} into Go value of type float64`);
    }
    return value;
  }

  /** A point or an exponent after a number that is incomplete. */
  #endNumeral(fraction: string | undefined, exponent: string | undefined): void {
    const next = this.#text[this.#at];
    if (exponent !== undefined || next === undefined) return;
    if (next === '.' && fraction === undefined) {
      this.#at++;
      this.#fail('after decimal point in numeric literal', true);
    }
    if (next === 'e' || next === 'E') {
      this.#at++;
      const sign = this.#text[this.#at];
      if (sign === '-' || sign === '+') this.#at++;
      this.#fail('in exponent of numeric literal', true);
    }
  }

  /** Reads a string, or its rest; undefined if the budget does not suffice. */
  #string(): string | undefined {
    const text = this.#text;
    let value = this.#half ?? '';
    if (this.#half === undefined) this.#at++;
    this.#half = undefined;
    const end = this.#at + Math.max(STRING_PIECE, this.#left);
    for (let from = this.#at; ; ) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x22) return value + text.slice(from, this.#at++);
      if (this.#at >= end) {
        this.#half = value + text.slice(from, this.#at);
        return undefined;
      }
      if (code === 0x5c) {
        value += text.slice(from, this.#at++) + this.#escape();
        from = this.#at;
      } else if (code < 0x20 || Number.isNaN(code)) {
        this.#fail('in string literal');
      } else {
        this.#at++;
      }
    }
  }

  #escape(): string {
    const character = this.#text[this.#at] ?? '';
    const plain = ESCAPES.get(character);
    if (plain === undefined && character !== 'u') this.#fail('in string escape code', true);
    this.#at++;
    if (plain !== undefined) return plain;
    const unit = this.#hexadecimal();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    if (unit < 0xdc00) {
      const low = /\\u([dD][c-fC-F][0-9a-fA-F]{2})/y;
      low.lastIndex = this.#at;
      const found = low.exec(this.#text);
      if (found !== null) {
        this.#at += found[0].length;
        return String.fromCharCode(unit, Number.parseInt(found[1] as string, 16));
      }
    }
    // An unpaired surrogate is not a character.
    return '\ufffd';
  }

  #hexadecimal(): number {
    const end = this.#at + 4;
    for (; this.#at < end; this.#at++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? '')) this.#fail('in \\u hexadecimal character escape', true);
    }
    return Number.parseInt(this.#text.slice(end - 4, end), 16);
  }

  /** The next character that is not whitespace; empty at the end. */
  #peek(): string {
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) return '';
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t') return character;
      this.#at++;
    }
  }

  /**
   * @param inToken whether this is within a token that blanks do not end either: Go's decoder finds the end of the text
   *   by reading one more blank
   */
  #fail(where: string, inToken = false): never {
    const code = this.#text.codePointAt(this.#at) ?? (inToken ? 0x20 : undefined);
    if (code === undefined) throw new JsonError('unexpected end of JSON input');
    throw new JsonError(`invalid character ${quotedByte(code)} ${where}`);
  }
}

function firstByteOf(code: number): number {
  return new TextEncoder().encode(String.fromCodePoint(code))[0] as number;
}

/** A character as quoted by Go's decoder: only its first byte. */
function quotedByte(code: number): string {
  if (code === 0x27) return "'\\''";
  const byte = code < 0x80 ? code : (keptByte(code) ?? firstByteOf(code));
  const named = new Map([
    [0x5c, '\\\\'],
    [0x07, '\\a'],
    [0x08, '\\b'],
    [0x0c, '\\f'],
    [0x0a, '\\n'],
    [0x0d, '\\r'],
    [0x09, '\\t'],
    [0x0b, '\\v'],
  ]).get(byte);
  if (named !== undefined) return `'${named}'`;
  const printable = (byte >= 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  if (printable) return `'${String.fromCharCode(byte)}'`;
  return byte < 0x80 ? `'\\x${byte.toString(16).padStart(2, '0')}'` : `'\\u${byte.toString(16).padStart(4, '0')}'`;
}
