// Protobuf reader: tags, varints, lengths, strings, and skipping of unknown fields. Everything is checked against the
// end of the enclosing message. Independent of types.

import { limits } from '../base/limits.ts';

/** Malformed protobuf, or a value of the wrong type. */
export class ProtobufError extends Error {
  override name = 'ProtobufError';
}

export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;
const GROUP_START = 3;
const GROUP_END = 4;
const FIXED32 = 5;

/** A varint has at most ten bytes of seven bits. */
const VARINT_BITS = 70;
const TWO_TO_32 = 2 ** 32;
const CUT_SHORT = 'unexpected EOF';

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

export class ProtobufReader {
  readonly #bytes: Uint8Array;
  /** All bytes as characters, from which ASCII strings are cut: faster than decoding each of them. */
  #characters: string | undefined;
  #at = 0;
  #end: number;
  #depth = 0;
  /** The last varint: its low and high 32 bits. */
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#end = bytes.length;
  }

  /** Whether the current message is at its end. */
  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** A field's number and wire type: eight times the number, plus the type. */
  tag(): number {
    this.#varint();
    const tag = this.#low >>> 0;
    if (this.#high !== 0 || tag < 8) {
      throw new ProtobufError(`proto: illegal tag ${tag >>> 3} (wire type ${tag & 7})`);
    }
    return tag;
  }

  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** A number if exact, otherwise a bigint. */
  int64(): number | bigint {
    this.#varint();
    const number = (this.#high | 0) * TWO_TO_32 + (this.#low >>> 0);
    if (Number.isSafeInteger(number)) return number;
    return (BigInt(this.#high | 0) << 32n) | BigInt(this.#low >>> 0);
  }

  bool(): boolean {
    this.#varint();
    return (this.#low | this.#high) !== 0;
  }

  double(): number {
    const at = this.#take(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 8).getFloat64(0, true);
  }

  /** A string; invalid UTF-8 becomes U+FFFD. */
  text(): string {
    const length = this.#length();
    const at = this.#take(length);
    const end = at + length;
    const bytes = this.#bytes;
    for (let index = at; index < end; index++) {
      if ((bytes[index] as number) > 0x7f) return UTF8.decode(bytes.subarray(at, end));
    }
    this.#characters ??= asciiOf(bytes);
    return this.#characters.slice(at, end);
  }

  /** Bytes, a view of the input. */
  raw(): Uint8Array {
    const length = this.#length();
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Enters a message; `leave` with the result leaves it. */
  enter(): number {
    const length = this.#length();
    if (length > this.#end - this.#at) throw new ProtobufError(CUT_SHORT);
    if (++this.#depth > limits.typedDepth) throw new ProtobufError('exceeded max depth');
    const outer = this.#end;
    this.#end = this.#at + length;
    return outer;
  }

  leave(outer: number): void {
    this.#end = outer;
    this.#depth--;
  }

  /** Skips the value of an unknown field. @param tag that has been read */
  skip(tag: number): void {
    let groups = 0;
    for (let wire = tag & 7; ; wire = this.tag() & 7) {
      if (wire === GROUP_START) groups++;
      else if (wire === GROUP_END) {
        if (groups === 0) throw new ProtobufError('proto: unexpected end of group');
        groups--;
      } else this.#skipValue(wire);
      if (groups === 0) return;
    }
  }

  #skipValue(wire: number): void {
    if (wire === VARINT) this.#varint();
    else if (wire === FIXED64) this.#take(8);
    else if (wire === DELIMITED) this.#take(this.#length());
    else if (wire === FIXED32) this.#take(4);
    else throw new ProtobufError(`proto: illegal wireType ${wire}`);
  }

  #varint(): void {
    const bytes = this.#bytes;
    const first = bytes[this.#at] as number;
    if (first < 0x80 && this.#at < this.#end) {
      this.#at++;
      this.#low = first;
      this.#high = 0;
      return;
    }
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (this.#at >= this.#end) throw new ProtobufError(CUT_SHORT);
      if (shift >= VARINT_BITS) throw new ProtobufError('proto: integer overflow');
      const byte = bytes[this.#at++] as number;
      if (shift < 32) low |= (byte & 0x7f) << shift;
      // Four bits of the fifth byte are low ones, three are high.
      if (shift === 28) high = (byte & 0x7f) >> 4;
      else if (shift > 28) high |= (byte & 0x7f) << (shift - 32);
      if (byte < 0x80) break;
    }
    this.#low = low;
    this.#high = high;
  }

  #length(): number {
    this.#varint();
    if (this.#high !== 0 || this.#low < 0) throw new ProtobufError('proto: negative length found during unmarshaling');
    return this.#low;
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#end - at) throw new ProtobufError(CUT_SHORT);
    this.#at = at + length;
    return at;
  }
}

/** One character per byte: anything but ASCII is garbled. */
function asciiOf(bytes: Uint8Array): string {
  const masked = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) masked[index] = (bytes[index] as number) & 0x7f;
  return UTF8.decode(masked);
}
