// Collects a long body into chunks of equal size, so that a list of many objects needs little memory however slow its
// reader is, and the event loop is released between chunks. Chunks are reused after they have been sent, because new
// ones would burden the garbage collector more than the list itself. The first begins small and grows: most lists are short.

import { Buffer } from 'node:buffer';
import { limits } from '../../base/limits.ts';
import type { Soon } from '../../base/soon.ts';

/** Consumes complete chunks; resolves when the next may follow, with whether the chunk may be reused. */
type PieceSink = (piece: Buffer) => Promise<boolean>;

/** Of the first chunk, which takes four times as much whenever it is full. */
const FIRST_BYTES = 16 * 1024;
const GROWTH = 4;

export class PieceWriter {
  readonly #sink: PieceSink;
  #piece: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;

  constructor(sink: PieceSink) {
    this.#sink = sink;
  }

  /** Adds ASCII text. A promise means: wait before adding more. */
  text(text: string): Soon<void> {
    if (!this.#fits(text.length)) return this.bytes(Buffer.from(text, 'latin1'));
    this.#piece.write(text, this.#used, 'latin1');
    this.#used += text.length;
    return undefined;
  }

  /** Adds bytes, which are copied. A promise means: wait before adding more. */
  bytes(bytes: Buffer): Soon<void> {
    if (this.#fits(bytes.length)) {
      bytes.copy(this.#piece, this.#used);
      this.#used += bytes.length;
      return undefined;
    }
    return this.#overflow(bytes);
  }

  /** The rest that has not been passed to the sink. */
  rest(): Buffer {
    return this.#piece.subarray(0, this.#used);
  }

  /** Whether so many more bytes fit into the chunk, which grows for them. */
  #fits(bytes: number): boolean {
    const needed = this.#used + bytes;
    if (needed <= this.#piece.length) return true;
    if (needed > limits.responsePieceBytes) return false;
    this.#grow(Math.max(needed, GROWTH * this.#piece.length));
    return true;
  }

  #grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.min(bytes, limits.responsePieceBytes));
    this.#piece.copy(larger, 0, 0, this.#used);
    this.#piece = larger;
  }

  async #overflow(bytes: Buffer): Promise<void> {
    if (this.#piece.length < limits.responsePieceBytes) this.#grow(limits.responsePieceBytes);
    let offset = 0;
    while (offset < bytes.length) {
      const copied = bytes.copy(this.#piece, this.#used, offset);
      offset += copied;
      this.#used += copied;
      if (this.#used === this.#piece.length) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const isFree = await this.#sink(this.#piece);
    if (!isFree) this.#piece = Buffer.allocUnsafeSlow(limits.responsePieceBytes);
    this.#used = 0;
  }
}
