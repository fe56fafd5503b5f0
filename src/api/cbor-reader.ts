// CBOR decoder (RFC 8949) with Kubernetes' rules: the result is JSON-like, so maps have text keys, byte strings are
// text, and what JSON has no value for is an error. Bodies are first checked for well-formedness, whose errors take
// precedence. Messages are those of Kubernetes' decoder.

import {
  ARRAY,
  BYTES,
  CborError,
  CborForm,
  cborTypeName,
  isIndefinite,
  MAP,
  notAccepted,
  PRIMITIVE,
  TAG,
  TEXT,
  TYPE_NAMES,
} from './cbor-form.ts';
import { asciiOf, bytesAsText, instantOf, rfc3339, TAGS } from './cbor-text.ts';
import { setMember } from './json-decoder.ts';
import type { Json, JsonObject } from './object.ts';

const MAX_INT64 = 2n ** 63n - 1n;

const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes one document. @throws CborError */
export function parseCbor(bytes: Uint8Array): Json {
  const reader = new Reader(bytes);
  reader.checkForm();
  return reader.value(undefined);
}

/** A single member of a well-formed document that cannot be decoded as a whole. */
export function readCborMember(bytes: Uint8Array, name: string): Json | undefined {
  const reader = new Reader(bytes);
  const place = reader.locate(name);
  return place === undefined ? undefined : reader.valueAt(place);
}

/** The position of a value in a document. */
export interface CborPlace {
  /** Its first byte after tags. */
  readonly first: number;
  /** Its index among the entries of its map or items of its array. */
  readonly index: number;
}

/** The position of the value at a path (`spec.ports[0].name`) in a valid document. */
export function locateInCbor(bytes: Uint8Array, path: string): CborPlace | undefined {
  return new Reader(bytes).locate(path);
}

interface TaggedPlace extends CborPlace {
  /** The offset of its tags. */
  readonly at: number;
  /** The encoding of byte strings there, by a tag of what is around them. */
  readonly encoding: number | undefined;
}

class Reader extends CborForm {
  /** The document with one character per byte. */
  #characters: string | undefined;
  /** The number of open maps and arrays. */
  #depth = 0;

  /** @param encoding the tag for the text encoding of byte strings */
  value(encoding: number | undefined): Json {
    const first = this.bytes[this.at] as number;
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
    const first = this.bytes[this.at] as number;
    const key = this.value(encoding);
    if (typeof key === 'string') return key;
    throw new CborError(`cbor: cannot unmarshal ${cborTypeName(first)} into Go value of type string`);
  }

  /** Opens an array or map; the returned function tells whether another item follows. */
  #items(): () => boolean {
    const head = this.head();
    if (!isIndefinite(head)) {
      let left = head.argument;
      return () => left-- > 0;
    }
    return () => !this.breaks();
  }

  /** An ASCII string in one chunk, as nearly all are, cut from the document; undefined for others. */
  #ascii(): string | undefined {
    const start = this.at;
    const head = this.head();
    const from = this.at;
    const end = from + head.argument;
    for (let at = from; at < end; at++) {
      if ((this.bytes[at] as number) > 0x7f) {
        this.at = start;
        return undefined;
      }
    }
    if (isIndefinite(head)) {
      this.at = start;
      return undefined;
    }
    this.at = end;
    this.#characters ??= asciiOf(this.bytes);
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

  /** The bytes of a string with its chunks joined. */
  #content(): Uint8Array {
    const head = this.head();
    if (!isIndefinite(head)) return this.#take(head.argument);
    const chunks: number[] = [];
    while (!this.breaks()) for (const byte of this.#take(this.head().argument)) chunks.push(byte);
    return Uint8Array.from(chunks);
  }

  #take(length: number): Uint8Array {
    const content = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return content;
  }

  #integer(): number | bigint {
    const { type, info, argument } = this.head();
    if (Number.isSafeInteger(argument)) return type === 0 ? argument : -1 - argument;
    const whole = info === 27 ? this.view.getBigUint64(this.at - 8) : BigInt(argument);
    const value = type === 0 ? whole : -1n - whole;
    if (whole > MAX_INT64) {
      throw new CborError(
        `cbor: cannot unmarshal ${TYPE_NAMES[type] as string} into Go value of type int64 (${value} overflows Go's int64)`,
      );
    }
    return value;
  }

  #primitive(): Json {
    const { info, argument } = this.head();
    if (info > 24) return this.float(info);
    if (argument === 20 || argument === 21) return argument === 21;
    if (argument === 22) return null;
    throw notAccepted(PRIMITIVE, `simple value ${argument} is not recognized`);
  }

  #taggedValue(encoding: number | undefined): Json {
    const tag = this.head().argument;
    if (tag === TAGS.base64 || tag === TAGS.base64Url || tag === TAGS.base16) return this.value(tag);
    const first = this.bytes[this.at] as number;
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

  valueAt({ at, encoding }: TaggedPlace): Json {
    this.at = at;
    return this.value(encoding);
  }

  locate(path: string): TaggedPlace | undefined {
    let place: Pick<TaggedPlace, 'at' | 'encoding'> = { at: this.at, encoding: undefined };
    let encoding = this.#skipTags(undefined);
    let index = 0;
    for (let rest = path; rest !== ''; ) {
      const entered = this.#enter(rest, encoding);
      if (entered === undefined) return undefined;
      index = entered.index;
      rest = entered.rest;
      place = { at: this.at, encoding };
      encoding = this.#skipTags(encoding);
    }
    return { first: this.bytes[this.at] as number, index, ...place };
  }

  /** Moves to the entry or item that a path begins with; returns the rest of the path. */
  #enter(path: string, encoding: number | undefined): { index: number; rest: string } | undefined {
    const type = (this.bytes[this.at] as number) >> 5;
    if (type !== ARRAY && type !== MAP) return undefined;
    const left = this.#items();
    for (let index = 0; left(); index++) {
      const step = type === ARRAY ? `[${index}]` : this.#key(encoding);
      const next = path[step.length];
      if (path.startsWith(step) && (next === undefined || next === '.' || next === '[')) {
        return { index, rest: path.slice(step.length).replace(/^\./, '') };
      }
      this.wellFormed(0);
    }
    return undefined;
  }

  /** @returns the encoding of byte strings below the tags */
  #skipTags(outer: number | undefined): number | undefined {
    let encoding = outer;
    while ((this.bytes[this.at] as number) >> 5 === TAG) {
      const { argument } = this.head();
      if (argument === TAGS.base64 || argument === TAGS.base64Url || argument === TAGS.base16) encoding = argument;
    }
    return encoding;
  }
}

function inadmissible(tag: number, expected: string, first: number): CborError {
  return new CborError(`cbor: tag number ${tag} must be followed by ${expected}, got ${cborTypeName(first)}`);
}
