// Protobuf writer that works backwards: a message is preceded by its length, which is known only after it has been
// written. Handles tags, varints and lengths, independently of types.

const FIRST_BYTES = 4_096;
/** Shorter strings are copied character by character, which is faster than calling the encoder. */
const SHORT_TEXT = 96;
const LONGEST_VARINT = 10;
const UINT31 = 0x7fff_ffff;

const encoder = new TextEncoder();

/**
 * A message under construction. Can be reused after `clear`; the result of `view` is valid until the next write, that
 * of `bytes` is a copy.
 */
export class ProtobufWriter {
  #buffer = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#buffer.buffer);
  /** The start of the written part. */
  #at = FIRST_BYTES;
  #told = 0;

  /** The number of written bytes: the difference before and after a message is its length. */
  get size(): number {
    return this.#buffer.length - this.#at;
  }

  /** Whether this number of bytes has been written since it last was so. */
  isDue(bytes: number): boolean {
    const isDue = this.size - this.#told >= bytes;
    if (isDue) this.#told = this.size;
    return isDue;
  }

  /** Starts over with the same buffer. */
  clear(): void {
    this.#told = 0;
    this.#at = this.#buffer.length;
  }

  view(): Uint8Array {
    return this.#buffer.subarray(this.#at);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(this.#at);
  }

  /** A varint: a tag or a length. @param value an integer from 0 to 2^31 - 1 */
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

  /** An int32 or int64; a negative one takes ten bytes. */
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

  /** A string in UTF-8, preceded by its length. Unpaired surrogates become U+FFFD. */
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

  /** Writes one byte per character; gives up at the first that is not ASCII. */
  #ascii(value: string, at: number): boolean {
    const { length } = value;
    const buffer = this.#buffer;
    // Other characters need more bytes.
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
