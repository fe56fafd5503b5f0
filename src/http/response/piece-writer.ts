// Collects a long body into chunks of equal size, so that a list of many objects needs little memory however slow its
// reader is, and the event loop is released between chunks. Chunks are reused after they have been sent, because new
// ones would burden the garbage collector more than the list itself.

import { Buffer } from 'node:buffer';
import { limits } from '../../base/limits.ts';
import type { Soon } from '../../base/soon.ts';

/** Consumes complete chunks; resolves when the next may follow, with whether the chunk may be reused. */
type PieceSink = (piece: Buffer) => Promise<boolean>;

export class PieceWriter {
  readonly #sink: PieceSink;
  #piece: Buffer = Buffer.allocUnsafeSlow(limits.responsePieceBytes);
  #used = 0;

  constructor(sink: PieceSink) {
    this.#sink = sink;
  }

  /** Adds ASCII text. A promise means: wait before adding more. */
  text(text: string): Soon<void> {
    if (this.#used + text.length > this.#piece.length) return this.bytes(Buffer.from(text, 'latin1'));
    this.#piece.write(text, this.#used, 'latin1');
    this.#used += text.length;
    return undefined;
  }

  /** Adds bytes, which are copied. A promise means: wait before adding more. */
  bytes(bytes: Buffer): Soon<void> {
    if (this.#used + bytes.length <= this.#piece.length) {
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

  async #overflow(bytes: Buffer): Promise<void> {
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
