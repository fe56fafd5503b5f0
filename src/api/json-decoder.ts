// The slow reader of JSON, for what JSON.parse cannot tell: integers of 64 bits, repeated members and where they are,
// how deep a text nests, and what exactly is wrong with a broken one, in the words that Kubernetes' clients know. It
// keeps its own stack, so that no text can exhaust the runtime's.

import { limits } from '../base/limits.ts';
import type { Json, JsonObject } from './object.ts';

/** A text that is no JSON; the message is that of Go's decoder. */
export class JsonError extends Error {
  override name = 'JsonError';
}

export interface DecodeJsonOptions {
  /** A repeated object is merged into the first, as built-in kinds do; otherwise the last of equal members counts. */
  readonly mergeRepeated?: boolean;
  /** Told of each member in the order of the text: its path (`spec.ports[0].name`) and whether it was there before. */
  readonly member?: (path: string, repeated: boolean) => void;
  /** Told of each number that is written with a point or an exponent. */
  readonly float?: (path: string, literal: string) => void;
}

/** @throws JsonError */
export function decodeJson(text: string, options: DecodeJsonOptions = {}): Json {
  return new Decoder(text, options).document();
}

/** Sets a member, whatever its name: plain assignment would lose `__proto__`. */
export function setMember(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

interface Frame {
  /** One of the two is there. */
  readonly list: Json[] | undefined;
  readonly object: JsonObject | undefined;
  readonly path: string;
  key: string;
  /** The members so far, as they stand in this text; the object may have more, merged from before. */
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
/** JSON has no zeros in front: what is longer is no integer of 64 bits, and reading millions of digits takes a second. */
const INT64_CHARACTERS = 20;
const LOWEST_INT64 = -(2n ** 63n);
const HIGHEST_INT64 = 2n ** 63n - 1n;

class Decoder {
  readonly #text: string;
  readonly #options: DecodeJsonOptions;
  /** Whether somebody wants to know paths. */
  readonly #watched: boolean;
  readonly #number = new RegExp(NUMBER);
  readonly #frames: Frame[] = [];
  #at = 0;

  constructor(text: string, options: DecodeJsonOptions) {
    this.#text = text;
    this.#options = options;
    this.#watched = options.member !== undefined || options.float !== undefined;
  }

  document(): Json {
    for (;;) {
      let value = this.#opening();
      while (value !== undefined) {
        const frame = this.#frames.at(-1);
        if (frame === undefined) {
          if (this.#peek() !== '') this.#fail('after top-level value');
          return value;
        }
        value = this.#attach(frame, value);
      }
    }
  }

  /** Reads a scalar or an empty list or object; what has members is opened, and undefined returned. */
  #opening(): Json | undefined {
    const character = this.#peek();
    if (character === '[') {
      this.#push({ list: [], object: undefined, path: this.#here(), key: '' });
      return this.#closes(']') ? this.#pop() : undefined;
    }
    if (character === '{') {
      this.#push({ list: undefined, object: this.#mergeTarget() ?? {}, path: this.#here(), key: '', names: new Set() });
      if (this.#closes('}')) return this.#pop();
      this.#memberName();
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

  /** Puts a value into its list or object; returns that when it ends here. */
  #attach(frame: Frame, value: Json): Json | undefined {
    const after = this.#peek();
    if (frame.list !== undefined) {
      frame.list.push(value);
      if (after === ']') return this.#pop();
      if (after !== ',') this.#fail('after array element');
      this.#at++;
      return undefined;
    }
    setMember(frame.object as JsonObject, frame.key, value);
    if (after === '}') return this.#pop();
    if (after !== ',') this.#fail('after object key:value pair');
    this.#at++;
    this.#memberName();
    return undefined;
  }

  #memberName(): void {
    const frame = this.#frames.at(-1) as Frame;
    if (this.#peek() !== '"') this.#fail('looking for beginning of object key string');
    frame.key = this.#string();
    this.#options.member?.(this.#here(), frame.names?.has(frame.key) === true);
    frame.names?.add(frame.key);
    if (this.#peek() !== ':') this.#fail('after object key');
    this.#at++;
  }

  /** The object of the same name that the next one is merged into. */
  #mergeTarget(): JsonObject | undefined {
    const frame = this.#frames.at(-1);
    if (this.#options.mergeRepeated !== true || frame?.object === undefined) return undefined;
    if (!Object.hasOwn(frame.object, frame.key)) return undefined;
    const before = frame.object[frame.key];
    return typeof before === 'object' && before !== null && !Array.isArray(before) ? before : undefined;
  }

  /** The path of the value that comes next; empty unless somebody listens. */
  #here(): string {
    const frame = this.#frames.at(-1);
    if (frame === undefined || !this.#watched) return '';
    if (frame.list !== undefined) return `${frame.path}[${frame.list.length}]`;
    return frame.path === '' ? frame.key : `${frame.path}.${frame.key}`;
  }

  #closes(closing: string): boolean {
    return this.#peek() === closing;
  }

  #scalar(character: string): Json {
    if (character === '"') return this.#string();
    if (character === '-' || (character >= '0' && character <= '9')) return this.#numeral();
    const found = WORDS.get(character);
    if (found === undefined) return this.#fail('looking for beginning of value');
    for (const expected of found.word) {
      if (this.#text[this.#at] !== expected) this.#fail(`in literal ${found.word} (expecting '${expected}')`);
      this.#at++;
    }
    return found.value;
  }

  #numeral(): number | bigint {
    this.#number.lastIndex = this.#at;
    const found = this.#number.exec(this.#text);
    if (found === null) {
      this.#at++;
      return this.#fail('in numeric literal');
    }
    const [literal, fraction, exponent] = found;
    this.#at += literal.length;
    this.#endNumeral(fraction, exponent);
    if (fraction !== undefined || exponent !== undefined) this.#options.float?.(this.#here(), literal);
    const value = Number(literal);
    const mayBeInt64 = literal.length <= INT64_CHARACTERS && !Number.isSafeInteger(value);
    if (fraction === undefined && exponent === undefined && mayBeInt64) {
      const whole = BigInt(literal);
      if (whole >= LOWEST_INT64 && whole <= HIGHEST_INT64) return whole;
    }
    if (!Number.isFinite(value)) {
      throw new JsonError(`json: cannot unmarshal number ${literal} into Go value of type float64`);
    }
    return value;
  }

  /** A point or an exponent that begins behind a number and leads nowhere. */
  #endNumeral(fraction: string | undefined, exponent: string | undefined): void {
    const next = this.#text[this.#at];
    if (exponent !== undefined || next === undefined) return;
    if (next === '.' && fraction === undefined) {
      this.#at++;
      this.#fail('after decimal point in numeric literal');
    }
    if (next === 'e' || next === 'E') {
      this.#at++;
      const sign = this.#text[this.#at];
      if (sign === '-' || sign === '+') this.#at++;
      this.#fail('in exponent of numeric literal');
    }
  }

  #string(): string {
    let value = '';
    let from = ++this.#at;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) {
        value += this.#text.slice(from, this.#at++);
        return value;
      }
      if (code === 0x5c) {
        value += this.#text.slice(from, this.#at++) + this.#escape();
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
    if (plain === undefined && character !== 'u') this.#fail('in string escape code');
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
    // Half a pair by itself is no character.
    return '\ufffd';
  }

  #hexadecimal(): number {
    const end = this.#at + 4;
    for (; this.#at < end; this.#at++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? '')) this.#fail('in \\u hexadecimal character escape');
    }
    return Number.parseInt(this.#text.slice(end - 4, end), 16);
  }

  /** The next character that is no space; empty at the end. */
  #peek(): string {
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) return '';
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t') return character;
      this.#at++;
    }
  }

  #fail(where: string): never {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw new JsonError('unexpected end of JSON input');
    throw new JsonError(`invalid character ${quotedByte(code)} ${where}`);
  }
}

/** A character as Go's decoder quotes it: by its first byte alone. */
function quotedByte(code: number): string {
  if (code === 0x27) return "'\\''";
  const byte = code < 0x80 ? code : (new TextEncoder().encode(String.fromCodePoint(code))[0] as number);
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
