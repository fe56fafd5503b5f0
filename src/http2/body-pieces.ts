// Buffer of received body data, in order. Small pieces are put together: by itself each would cost more than it holds,
// and keep all that was read from the socket with it.

import { Buffer } from 'node:buffer';

/** Pieces of this size are worth keeping as they are. */
const LARGE_BYTES = 4 * 1024;
const BLOCK_BYTES = 16 * 1024;

export class BodyPieces {
  #pieces: Buffer[] = [];
  /** Where small pieces are copied to; of its bytes, those from `#begin` to `#end` are not among `#pieces` yet. */
  #block: Buffer | undefined;
  #begin = 0;
  #end = 0;

  add(piece: Buffer): void {
    // Most bodies come in one piece.
    const isFirst = this.#pieces.length === 0 && this.#begin === this.#end;
    if (!isFirst && piece.length < LARGE_BYTES) {
      this.#copy(piece);
      return;
    }
    this.#closeRun();
    this.#pieces.push(piece);
  }

  /** All pieces, which are forgotten here. */
  take(): Buffer[] {
    this.#closeRun();
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  #copy(piece: Buffer): void {
    if (this.#block === undefined || this.#end + piece.length > BLOCK_BYTES) {
      this.#closeRun();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#begin = 0;
      this.#end = 0;
    }
    this.#end += piece.copy(this.#block, this.#end);
  }

  #closeRun(): void {
    if (this.#begin < this.#end) this.#pieces.push(this.#block!.subarray(this.#begin, this.#end));
    this.#begin = this.#end;
  }
}
