// Bytes that have arrived and have not been consumed, in parts that are joined only when somebody looks at them: a client
// that sends a long line byte by byte would otherwise cost a copy of the line for each byte.

import { Buffer } from 'node:buffer';

export class Input {
  #parts: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  /** All bytes, in one piece. */
  get bytes(): Buffer {
    if (this.#parts.length !== 1) this.#parts = [Buffer.concat(this.#parts, this.#length)];
    return this.#parts[0] as Buffer;
  }

  /** Replaces all bytes by what is left of them. */
  set bytes(rest: Buffer) {
    this.#parts = [rest];
    this.#length = rest.length;
  }

  /** Consumes the first bytes. */
  skip(count: number): void {
    this.bytes = this.bytes.subarray(count);
  }

  clear(): void {
    this.#parts = [];
    this.#length = 0;
  }
}
