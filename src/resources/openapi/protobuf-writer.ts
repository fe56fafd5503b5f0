// Writes protobuf messages from their end to their beginning: when a message's length has to be written its content
// already stands there, so that nothing is measured first or copied. Callers write the last field first.

const ENCODER = new TextEncoder();

export class BackwardWriter {
  #bytes: Uint8Array;
  /** Where what is written begins; it goes to the end of the bytes. */
  #at: number;

  /** @param capacity a guess of the size in bytes; more is made when it is needed */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#at = capacity;
  }

  /** What was written. */
  finish(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  string(field: number, text: string): void {
    const end = this.#at;
    if (!this.#ascii(text)) this.#raw(ENCODER.encode(text));
    this.#lengthSince(field, end);
  }

  bool(field: number, value: boolean): void {
    this.#varint(value ? 1 : 0);
    this.#varint(field * 8);
  }

  /** A whole number that is not negative. */
  integer(field: number, value: number): void {
    this.#varint(value);
    this.#varint(field * 8);
  }

  double(field: number, value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#raw(bytes);
    this.#varint(field * 8 + 1);
  }

  /** A message in this one; `write` writes its fields. */
  message(field: number, write: () => void): void {
    const end = this.#at;
    write();
    this.#lengthSince(field, end);
  }

  /** The length of what was written since `end` was where it began, and the key of a field with such content. */
  #lengthSince(field: number, end: number): void {
    this.#varint(end - this.#at);
    this.#varint(field * 8 + 2);
  }

  /** Writes text of one byte a character. @returns false, with nothing written, for other text */
  #ascii(text: string): boolean {
    this.#reserve(text.length);
    const start = this.#at - text.length;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) return false;
      this.#bytes[start + index] = code;
    }
    this.#at = start;
    return true;
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#at -= bytes.length;
    this.#bytes.set(bytes, this.#at);
  }

  #varint(value: number): void {
    let size = 1;
    for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) size++;
    this.#reserve(size);
    this.#at -= size;
    let rest = value;
    for (let index = 0; index < size; index++) {
      this.#bytes[this.#at + index] = (rest % 128) + (index < size - 1 ? 128 : 0);
      rest = Math.floor(rest / 128);
    }
  }

  #reserve(size: number): void {
    if (size <= this.#at) return;
    const written = this.finish();
    const capacity = Math.max(this.#bytes.length * 2, written.length + size);
    const grown = new Uint8Array(capacity);
    grown.set(written, capacity - written.length);
    this.#at = capacity - written.length;
    this.#bytes = grown;
  }
}
