// Bytes that have arrived and have not been consumed, in parts that are joined only when somebody looks at them: a client
// that sends a long line byte by byte would otherwise cost a copy of the line for each byte.

import { Buffer } from 'node:buffer';
import { SmallPieces } from '../base/small-pieces.ts';

const NOTHING = Buffer.alloc(0);

export class Input {
  #begin: Buffer = NOTHING;
  readonly #more = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);

  get length(): number {
    return this.#begin.length + this.#more.length;
  }

  add(bytes: Buffer): void {
    if (this.#begin.length === 0 && this.#more.length === 0) this.#begin = bytes;
    else this.#more.add(bytes);
  }

  /** All bytes, in one piece. */
  get bytes(): Buffer {
    if (this.#more.length > 0) this.#begin = Buffer.concat([this.#begin, ...this.#more.take()]);
    return this.#begin;
  }

  /** Replaces all bytes by what is left of them. */
  set bytes(rest: Buffer) {
    this.#begin = rest;
    this.#more.take();
  }

  /** Consumes the first bytes. */
  skip(count: number): void {
    this.bytes = this.bytes.subarray(count);
  }

  clear(): void {
    this.bytes = NOTHING;
  }
}
