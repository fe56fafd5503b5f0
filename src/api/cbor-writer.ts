// CBOR encoder with Kubernetes' rules: text as byte strings, integers and floats distinguished, floats in the shortest
// exact form, members in their order. Independent of types.

import type { Json } from './object.ts';
import { ownMember } from './own-member.ts';

const FIRST_BYTES = 4_096;
/** Shorter strings are copied character by character, which is faster than calling the encoder. */
const SHORT_TEXT = 64;
const LONGEST_HEAD = 9;
const UINT32_END = 0x1_0000_0000;

/** Major types in an item's first byte. */
const POSITIVE = 0;
const NEGATIVE = 1;
const BYTES = 2;
const ARRAY = 4;
const MAP = 5;
const TAG = 6;

const FALSE = 0xf4;
const TRUE = 0xf5;
const NULL = 0xf6;
const FLOAT16 = 0xf9;
const FLOAT32 = 0xfa;
const FLOAT64 = 0xfb;

/** The tag for bytes whose text form is base64. */
const BASE64_TAG = 22;
/** The tag for self-described CBOR. */
const SELF_DESCRIBED_TAG = 55799;
/** The largest half-precision number, and its smallest step. */
const LARGEST_HALF = 65_504;
const HALF_STEP = 2 ** -24;

const encoder = new TextEncoder();

/** An item under construction. Can be reused after `clear`; the result of `view` is valid until the next write. */
export class CborWriter {
  #buffer = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#buffer.buffer);
  #at = 0;
  #told = 0;

  /** Whether this number of bytes has been written since it last was so. */
  isDue(bytes: number): boolean {
    const isDue = this.#at - this.#told >= bytes;
    if (isDue) this.#told = this.#at;
    return isDue;
  }

  clear(): void {
    this.#told = 0;
    this.#at = 0;
  }

  view(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#at);
  }

  /** The three bytes at the beginning of every document. */
  selfDescribed(): void {
    this.#head(TAG, SELF_DESCRIBED_TAG);
  }

  /** Begins an array; its items follow. */
  array(length: number): void {
    this.#head(ARRAY, length);
  }

  /** Begins a map; its entries follow, each a text and a value. */
  map(size: number): void {
    this.#head(MAP, size);
  }

  /** A string, as a byte string, which readers accept as text. */
  text(text: string): void {
    const { length } = text;
    if (length <= SHORT_TEXT && this.#shortText(text, length)) return;
    this.#reserve(length * 3);
    // The length is known only afterwards: the text is written after the longest head and then moved.
    const from = this.#at + LONGEST_HEAD;
    const { written } = encoder.encodeInto(text, this.#buffer.subarray(from));
    this.#head(BYTES, written);
    this.#buffer.copyWithin(this.#at, from, from + written);
    this.#at += written;
  }

  /** Bytes whose JSON form is base64. @param base64 in canonical form */
  bytes(base64: string): void {
    this.#head(TAG, BASE64_TAG);
    const binary = atob(base64);
    this.#head(BYTES, binary.length);
    this.#reserve(binary.length);
    for (let index = 0; index < binary.length; index++) this.#buffer[this.#at++] = binary.charCodeAt(index);
  }

  /** A number that is a float, integral or not. */
  float(value: number): void {
    this.#reserve(0);
    if (isHalf(value)) {
      this.#buffer[this.#at] = FLOAT16;
      this.#view.setUint16(this.#at + 1, halfBits(value));
      this.#at += 3;
    } else if (Math.fround(value) === value) {
      this.#buffer[this.#at] = FLOAT32;
      this.#view.setFloat32(this.#at + 1, value);
      this.#at += 5;
    } else {
      this.#buffer[this.#at] = FLOAT64;
      this.#view.setFloat64(this.#at + 1, value);
      this.#at += 9;
    }
  }

  integer(value: number | bigint): void {
    if (typeof value === 'number') {
      if (value >= 0) this.#head(POSITIVE, value);
      else this.#head(NEGATIVE, -1 - value);
      return;
    }
    this.#reserve(0);
    this.#buffer[this.#at] = ((value < 0n ? NEGATIVE : POSITIVE) << 5) | 27;
    this.#view.setBigUint64(this.#at + 1, value < 0n ? -1n - value : value);
    this.#at += 9;
  }

  bool(value: boolean): void {
    this.#byte(value ? TRUE : FALSE);
  }

  null(): void {
    this.#byte(NULL);
  }

  /** A JSON scalar; integral numbers are integers. */
  scalar(value: string | number | bigint | boolean | null | undefined): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'boolean') this.bool(value);
    else if (value === null || value === undefined) this.null();
    else if (typeof value === 'bigint' || Number.isSafeInteger(value)) this.integer(value);
    else this.float(value);
  }

  /** An untyped value. Undefined members are omitted, as in JSON. */
  value(value: Json | undefined): void {
    if (typeof value !== 'object' || value === null) {
      this.scalar(value);
    } else if (Array.isArray(value)) {
      this.array(value.length);
      for (const item of value) this.value(item);
    } else {
      const names = Object.keys(value).filter((name) => value[name] !== undefined);
      this.map(names.length);
      for (const name of names) {
        this.text(name);
        this.value(ownMember(value, name));
      }
    }
  }

  #shortText(text: string, length: number): boolean {
    this.#reserve(length);
    const start = this.#at;
    this.#head(BYTES, length);
    const buffer = this.#buffer;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) {
        this.#at = start;
        return false;
      }
      buffer[this.#at++] = code;
    }
    return true;
  }

  /** @param argument an integer, not negative */
  #head(type: number, argument: number): void {
    this.#reserve(0);
    const first = type << 5;
    if (argument < 24) {
      this.#buffer[this.#at++] = first | argument;
    } else if (argument < 0x100) {
      this.#buffer[this.#at++] = first | 24;
      this.#buffer[this.#at++] = argument;
    } else if (argument < 0x1_0000) {
      this.#buffer[this.#at] = first | 25;
      this.#view.setUint16(this.#at + 1, argument);
      this.#at += 3;
    } else if (argument < UINT32_END) {
      this.#buffer[this.#at] = first | 26;
      this.#view.setUint32(this.#at + 1, argument);
      this.#at += 5;
    } else {
      this.#buffer[this.#at] = first | 27;
      this.#view.setBigUint64(this.#at + 1, BigInt(argument));
      this.#at += 9;
    }
  }

  #byte(byte: number): void {
    this.#reserve(0);
    this.#buffer[this.#at++] = byte;
  }

  /** Reserves space for one head and a number of bytes. */
  #reserve(bytes: number): void {
    const needed = this.#at + LONGEST_HEAD + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer.subarray(0, this.#at));
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Whether a number is exact in half precision: eleven binary digits, or fewer near zero. */
function isHalf(value: number): boolean {
  const size = Math.abs(value);
  if (size > LARGEST_HALF || !Number.isInteger(size / HALF_STEP)) return false;
  const step = Math.max(HALF_STEP, 2 ** (exponentOf(size) - 10));
  return Number.isInteger(size / step);
}

function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  const exponent = exponentOf(size);
  if (exponent < -14) return sign | (size / HALF_STEP);
  return sign | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024);
}

/** The exponent of a number; for zero far below that of every half. */
function exponentOf(size: number): number {
  if (size === 0) return -1023;
  const exponent = Math.floor(Math.log2(size));
  // The logarithm may be rounded up to the next power.
  return 2 ** exponent > size ? exponent - 1 : exponent;
}
