// Protobuf writer, from the end to the beginning: the length of a message stands before it, and is known once the
// message has been written. Knows tags, varints and lengths, nothing of types.

const FIRST_BYTES = 4_096;
/** Up to this length a string is copied character by character, which is faster than a call of the encoder. */
const SHORT_TEXT = 96;
const LONGEST_VARINT = 10;
const UINT31 = 0x7fff_ffff;

const encoder = new TextEncoder();

/**
 * A message under construction. It may be used again after `clear`; what `view` gives is valid until the next write,
 * what `bytes` gives is a copy.
 */
export class ProtobufWriter {
  #buffer = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#buffer.buffer);
  /** Where the written part begins. */
  #at = FIRST_BYTES;

  /** How many bytes have been written: taken before and after a message, its length is the difference. */
  get size(): number {
    return this.#buffer.length - this.#at;
  }

  /** Begins anew with the same buffer. */
  clear(): void {
    this.#at = this.#buffer.length;
  }

  view(): Uint8Array {
    return this.#buffer.subarray(this.#at);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(this.#at);
  }

  /** A varint: a tag or a length. @param value a whole number from 0 to 2^31 - 1 */
  uint(value: number): void {
    if (this.#at < 5) this.#grow(5);
    if (value < 0x80) {
      this.#buffer[--this.#at] = value;
      return;
    }
    let at = this.#at - (value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5);
    this.#at = at;
    for (; value >= 0x80; value >>>= 7) this.#buffer[at++] = (value & 0x7f) | 0x80;
    this.#buffer[at] = value;
  }

  /** An int32 or int64; what is negative takes ten bytes. */
  int(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value <= UINT31) this.uint(value);
    else this.#long(BigInt.asUintN(64, BigInt(value)));
  }

  double(value: number): void {
    if (this.#at < 8) this.#grow(8);
    this.#at -= 8;
    this.#view.setFloat64(this.#at, value, true);
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    if (this.#at < bytes.length) this.#grow(bytes.length);
    this.#at -= bytes.length;
    this.#buffer.set(bytes, this.#at);
  }

  /** A string in UTF-8, its length before it. Half a surrogate pair becomes U+FFFD. */
  text(value: string): void {
    const { length } = value;
    if (this.#at < length) this.#grow(length);
    if (!this.#ascii(value, this.#at - length)) {
      this.#wide(value);
    } else {
      this.#at -= length;
      this.uint(length);
    }
  }

  /** Writes one byte a character; gives up at the first that takes more. */
  #ascii(value: string, at: number): boolean {
    const { length } = value;
    const buffer = this.#buffer;
    // What is not ASCII doesn't fit into as many bytes as it has characters.
    if (length > SHORT_TEXT) return encoder.encodeInto(value, buffer.subarray(at, at + length)).read === length;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return false;
      buffer[at + index] = code;
    }
    return true;
  }

  #wide(value: string): void {
    const bytes = encoder.encode(value);
    this.raw(bytes);
    this.uint(bytes.length);
  }

  #long(value: bigint): void {
    if (this.#at < LONGEST_VARINT) this.#grow(LONGEST_VARINT);
    let length = 1;
    for (let rest = value >> 7n; rest > 0n; rest >>= 7n) length++;
    this.#at -= length;
    for (let index = 0; index < length; index++, value >>= 7n) {
      this.#buffer[this.#at + index] = Number(value & 0x7fn) | (index < length - 1 ? 0x80 : 0);
    }
  }

  #grow(least: number): void {
    const written = this.view();
    this.#buffer = new Uint8Array(Math.max(2 * this.#buffer.length, written.length + least));
    this.#view = new DataView(this.#buffer.buffer);
    this.#at = this.#buffer.length - written.length;
    this.#buffer.set(written, this.#at);
  }
}
