// CBOR reader (RFC 8949), as Kubernetes decodes: what comes out is JSON's kind of value, so maps have text for keys,
// byte strings are text, and what JSON has no value for is refused. Bodies are first walked for being well-formed,
// since that fault goes before all others. The words are those of the decoder that Kubernetes uses.

import { limits } from '../base/limits.ts';
import { withoutTrailing } from '../base/without-trailing.ts';
import { setMember } from './json-decoder.ts';
import type { Json, JsonObject } from './object.ts';

/** Bytes that are not CBOR, or CBOR that is not accepted. */
export class CborError extends Error {
  override name = 'CborError';
  /** How deep in the document the fault is; 0 for one of the document itself or its form. */
  readonly depth: number;

  constructor(message: string, depth = 0) {
    super(message);
    this.depth = depth;
  }
}

const BYTES = 2;
const TEXT = 3;
const ARRAY = 4;
const MAP = 5;
const TAG = 6;
const PRIMITIVE = 7;
const TYPE_NAMES = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
] as const;

const INDEFINITE = 31;
const BREAK = 0xff;
const TAGS = { time: 0, epoch: 1, base64Url: 21, base64: 22, base16: 23, selfDescribed: 55799 } as const;
const MAX_INT64 = 2n ** 63n - 1n;

const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const laxText = new TextDecoder('utf-8', { ignoreBOM: true });

/** What an item is called in messages, by its first byte. */
export function cborTypeName(firstByte: number): string {
  return TYPE_NAMES[firstByte >> 5] as string;
}

/** Reads one document. @throws CborError */
export function parseCbor(bytes: Uint8Array): Json {
  const reader = new Reader(bytes);
  reader.checkForm();
  return reader.value(undefined);
}

/** What one member of a well-formed document says, where the document as a whole can't be read. */
export function readCborMember(bytes: Uint8Array, name: string): Json | undefined {
  const reader = new Reader(bytes);
  return reader.locate(name) === undefined ? undefined : reader.value(undefined);
}

/** A value within a document. */
export interface CborPlace {
  /** Its first byte behind tags. */
  readonly first: number;
  /** Which member of its map or item of its array it is. */
  readonly index: number;
}

/** Where the value at a path (`spec.ports[0].name`) stands in a document that has been read without a fault. */
export function locateInCbor(bytes: Uint8Array, path: string): CborPlace | undefined {
  return new Reader(bytes).locate(path);
}

interface Head {
  readonly type: number;
  /** The five bits beside the type. */
  readonly info: number;
  /** The number that follows; 0 where the length is not said. */
  readonly argument: number;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  /** The document with a character for each byte. */
  #characters: string | undefined;
  /** How many maps and arrays are open. */
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Walks the whole document. */
  checkForm(): void {
    const { length } = this.#bytes;
    if (length === 0) throw new CborError('EOF');
    this.#wellFormed(0);
    if (this.#at !== length) {
      throw new CborError(`cbor: ${length - this.#at} bytes of extraneous data starting at index ${this.#at}`);
    }
    this.#at = 0;
  }

  #wellFormed(depth: number): void {
    const head = this.#checkedHead();
    const { type, argument } = head;
    if (type === BYTES || type === TEXT) {
      if (isIndefinite(head)) this.#chunks(type);
      else this.#skip(argument);
    } else if (type === ARRAY || type === MAP) {
      checkDepth(depth + 1);
      if (isIndefinite(head)) this.#untilBreak(type, depth + 1);
      else {
        checkSize(type, argument);
        const items = type === MAP ? 2 * argument : argument;
        for (let index = 0; index < items; index++) this.#wellFormed(depth + 1);
      }
    } else if (type === TAG) this.#tagged(argument, depth);
  }

  /** Tags are walked in a loop: each counts as a level but the first. */
  #tagged(tag: number, depth: number): void {
    for (let level = depth; ; ) {
      if (this.#at === this.#bytes.length) throw unexpectedEnd();
      if (tag === 2 || tag === 3) throw notAccepted(TAG, 'bignum');
      if ((this.#bytes[this.#at] as number) >> 5 !== TAG) {
        this.#wellFormed(level);
        return;
      }
      tag = this.#checkedHead().argument;
      checkDepth(++level);
    }
  }

  #chunks(type: number): void {
    while (!this.#breaks()) {
      const first = this.#bytes[this.#at] as number;
      if (first >> 5 !== type) {
        throw new CborError(
          `cbor: wrong element type ${cborTypeName(first)} for indefinite-length ${TYPE_NAMES[type] as string}`,
        );
      }
      if ((first & 31) === INDEFINITE) {
        throw new CborError(`cbor: indefinite-length ${TYPE_NAMES[type] as string} chunk is not definite-length`);
      }
      this.#skip(this.#checkedHead().argument);
    }
  }

  #untilBreak(type: number, depth: number): void {
    let items = 0;
    while (!this.#breaks()) {
      this.#wellFormed(depth);
      items++;
      checkSize(type, type === MAP ? Math.floor(items / 2) : items);
    }
    if (type === MAP && items % 2 === 1) throw new CborError('cbor: unexpected "break" code');
  }

  #breaks(): boolean {
    if (this.#at === this.#bytes.length) throw unexpectedEnd();
    if (this.#bytes[this.#at] !== BREAK) return false;
    this.#at++;
    return true;
  }

  #skip(bytes: number): void {
    if (this.#bytes.length - this.#at < bytes) throw unexpectedEnd();
    this.#at += bytes;
  }

  #checkedHead(): Head {
    const first = this.#bytes[this.#at];
    if (first === undefined) throw unexpectedEnd();
    const type = first >> 5;
    const info = first & 31;
    if (info > 27) this.#checkInfo(type, info);
    if (info >= 24 && info <= 27 && this.#bytes.length - this.#at <= 1 << (info - 24)) throw unexpectedEnd();
    const head = this.#head();
    if (type === PRIMITIVE && info === 24 && head.argument < 32) {
      throw new CborError(`cbor: invalid simple value ${head.argument} for type primitives`);
    }
    if (type === PRIMITIVE && info > 24 && info < 28) {
      const float = this.#float(info);
      if (Number.isNaN(float)) throw notAccepted(PRIMITIVE, 'floating-point NaN');
      if (!Number.isFinite(float)) throw notAccepted(PRIMITIVE, 'floating-point infinity');
    }
    return head;
  }

  #checkInfo(type: number, info: number): void {
    if (info === INDEFINITE && type === PRIMITIVE) throw new CborError('cbor: unexpected "break" code');
    if (info === INDEFINITE && type >= BYTES && type <= MAP) return;
    throw new CborError(`cbor: invalid additional information ${info} for type ${TYPE_NAMES[type] as string}`);
  }

  /** The next item's head; of a number that no double holds only about the size. */
  #head(): Head {
    const first = this.#bytes[this.#at++] as number;
    const info = first & 31;
    return { type: first >> 5, info, argument: this.#argument(info) };
  }

  #argument(info: number): number {
    if (info < 24) return info;
    if (info === INDEFINITE) return 0;
    const at = this.#at;
    this.#at += 1 << (info - 24);
    if (info === 24) return this.#bytes[at] as number;
    if (info === 25) return this.#view.getUint16(at);
    return info === 26 ? this.#view.getUint32(at) : Number(this.#view.getBigUint64(at));
  }

  /** The float whose head has just been read. */
  #float(info: number): number {
    if (info === 25) return halfOf(this.#view.getUint16(this.#at - 2));
    return info === 26 ? this.#view.getFloat32(this.#at - 4) : this.#view.getFloat64(this.#at - 8);
  }

  /** @param encoding the tag that says how byte strings are written as text */
  value(encoding: number | undefined): Json {
    const first = this.#bytes[this.#at] as number;
    const type = first >> 5;
    switch (type) {
      case BYTES:
        return (encoding === undefined ? this.#ascii() : undefined) ?? bytesAsText(this.#content(), encoding);
      case TEXT:
        return this.#ascii() ?? this.#text();
      case ARRAY:
        return this.#array(encoding);
      case MAP:
        return this.#map(encoding);
      case TAG:
        return this.#taggedValue(encoding);
      case PRIMITIVE:
        return this.#primitive();
      default:
        return this.#integer();
    }
  }

  #array(encoding: number | undefined): Json[] {
    const items: Json[] = [];
    this.#depth++;
    for (const left = this.#items(); left(); ) items.push(this.value(encoding));
    this.#depth--;
    return items;
  }

  #map(encoding: number | undefined): JsonObject {
    const object: JsonObject = {};
    const left = this.#items();
    this.#depth++;
    for (let index = 0; left(); index++) {
      const key = this.#key(encoding);
      if (Object.hasOwn(object, key)) {
        throw new CborError(
          `cbor: found duplicate map key ${JSON.stringify(key)} at map element index ${index}`,
          this.#depth - 1,
        );
      }
      setMember(object, key, this.value(encoding));
    }
    this.#depth--;
    return object;
  }

  #key(encoding: number | undefined): string {
    const first = this.#bytes[this.#at] as number;
    const key = this.value(encoding);
    if (typeof key === 'string') return key;
    throw new CborError(`cbor: cannot unmarshal ${cborTypeName(first)} into Go value of type string`);
  }

  /** Opens an array or map; the function tells whether one more item is there. */
  #items(): () => boolean {
    const head = this.#head();
    if (!isIndefinite(head)) {
      let left = head.argument;
      return () => left-- > 0;
    }
    return () => !this.#breaks();
  }

  /** A string that is ASCII and in one piece, as nearly all are, cut out of the whole; undefined for another. */
  #ascii(): string | undefined {
    const start = this.#at;
    const head = this.#head();
    const from = this.#at;
    const end = from + head.argument;
    for (let at = from; at < end; at++) {
      if ((this.#bytes[at] as number) > 0x7f) {
        this.#at = start;
        return undefined;
      }
    }
    if (isIndefinite(head)) {
      this.#at = start;
      return undefined;
    }
    this.#at = end;
    this.#characters ??= asciiOf(this.#bytes);
    return this.#characters.slice(from, end);
  }

  #text(): string {
    const content = this.#content();
    try {
      return strictText.decode(content);
    } catch {
      throw new CborError('cbor: invalid UTF-8 string');
    }
  }

  /** A string's bytes, its chunks joined. */
  #content(): Uint8Array {
    const head = this.#head();
    if (!isIndefinite(head)) return this.#take(head.argument);
    const chunks: number[] = [];
    while (!this.#breaks()) for (const byte of this.#take(this.#head().argument)) chunks.push(byte);
    return Uint8Array.from(chunks);
  }

  #take(length: number): Uint8Array {
    const content = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return content;
  }

  #integer(): number | bigint {
    const { type, info, argument } = this.#head();
    if (Number.isSafeInteger(argument)) return type === 0 ? argument : -1 - argument;
    const whole = info === 27 ? this.#view.getBigUint64(this.#at - 8) : BigInt(argument);
    const value = type === 0 ? whole : -1n - whole;
    if (whole > MAX_INT64) {
      throw new CborError(
        `cbor: cannot unmarshal ${TYPE_NAMES[type] as string} into Go value of type int64 (${value} overflows Go's int64)`,
      );
    }
    return value;
  }

  #primitive(): Json {
    const { info, argument } = this.#head();
    if (info > 24) return this.#float(info);
    if (argument === 20 || argument === 21) return argument === 21;
    if (argument === 22) return null;
    throw notAccepted(PRIMITIVE, `simple value ${argument} is not recognized`);
  }

  #taggedValue(encoding: number | undefined): Json {
    const tag = this.#head().argument;
    if (tag === TAGS.base64 || tag === TAGS.base64Url || tag === TAGS.base16) return this.value(tag);
    const first = this.#bytes[this.#at] as number;
    if (tag === TAGS.time) {
      if (first >> 5 !== TEXT) throw inadmissible(tag, 'text string', first);
      return rfc3339(this.#text());
    }
    if (tag !== TAGS.epoch) return this.value(encoding);
    if (first >> 5 > 1 && (first < 0xf9 || first > 0xfb)) {
      throw inadmissible(tag, 'integer or floating-point number', first);
    }
    return instantOf(Number(this.value(undefined)));
  }

  locate(path: string): CborPlace | undefined {
    this.#skipTags();
    let index = 0;
    for (let rest = path; rest !== ''; ) {
      const entered = this.#enter(rest);
      if (entered === undefined) return undefined;
      index = entered.index;
      rest = entered.rest;
    }
    return { first: this.#bytes[this.#at] as number, index };
  }

  /** Goes to the member or item of the value at hand that a path begins with; what is left of the path. */
  #enter(path: string): { index: number; rest: string } | undefined {
    const type = (this.#bytes[this.#at] as number) >> 5;
    if (type !== ARRAY && type !== MAP) return undefined;
    const left = this.#items();
    for (let index = 0; left(); index++) {
      const step = type === ARRAY ? `[${index}]` : this.#key(undefined);
      const next = path[step.length];
      if (path.startsWith(step) && (next === undefined || next === '.' || next === '[')) {
        this.#skipTags();
        return { index, rest: path.slice(step.length).replace(/^\./, '') };
      }
      this.#wellFormed(0);
    }
    return undefined;
  }

  #skipTags(): void {
    while ((this.#bytes[this.#at] as number) >> 5 === TAG) this.#head();
  }
}

function isIndefinite({ info }: Head): boolean {
  return info === INDEFINITE;
}

function checkDepth(depth: number): void {
  if (depth > limits.cborDepth) throw new CborError(`cbor: exceeded max nested level ${limits.cborDepth}`);
}

function checkSize(type: number, items: number): void {
  if (items <= limits.cborItems) return;
  const what = type === MAP ? 'key-value pairs' : 'elements';
  throw new CborError(
    `cbor: exceeded max number of ${what} ${limits.cborItems} for CBOR ${TYPE_NAMES[type] as string}`,
  );
}

function unexpectedEnd(): CborError {
  return new CborError('unexpected EOF');
}

function notAccepted(type: number, what: string): CborError {
  return new CborError(
    `cbor: data item of cbor type ${TYPE_NAMES[type] as string} is not accepted by protocol: ${what}`,
  );
}

function inadmissible(tag: number, expected: string, first: number): CborError {
  return new CborError(`cbor: tag number ${tag} must be followed by ${expected}, got ${cborTypeName(first)}`);
}

function halfOf(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits >= 0x8000 ? -size : size;
}

/** One character a byte: what is not ASCII comes out as something else. */
function asciiOf(bytes: Uint8Array): string {
  return laxText.decode(bytes.map((byte) => byte & 0x7f));
}

/** Bytes as text: in the encoding that a tag asks for, else as the text that they are. */
function bytesAsText(bytes: Uint8Array, encoding: number | undefined): string {
  if (encoding === undefined) return laxText.decode(bytes);
  if (encoding === TAGS.base16) return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const base64 = btoa(binary);
  return encoding === TAGS.base64 ? base64 : withoutTrailing(base64.replaceAll('+', '-').replaceAll('/', '_'), '=');
}

/** A moment in the form of RFC 3339, with as many digits of its fraction as it has. */
function instantOf(seconds: number): string {
  const date = new Date(Math.floor(seconds) * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) {
    throw new CborError('cbor: decoded time cannot be represented in RFC3339 format with sub-second precision');
  }
  const nanoseconds = Math.trunc((seconds - Math.floor(seconds)) * 1e9);
  const fraction = nanoseconds === 0 ? '' : `.${withoutTrailing(String(nanoseconds).padStart(9, '0'), '0')}`;
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

function rfc3339(text: string): string {
  if (RFC3339.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new CborError(`cbor: cannot set ${text} for time.Time: parsing time ${JSON.stringify(text)}`);
}
