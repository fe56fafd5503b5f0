// Buffer of received body data, in order. Small chunks are merged: each would cost more memory than its content, and
// keep the whole socket read alive.

import { Buffer } from 'node:buffer';

/** Chunks of this size are kept as they are. */
const LARGE_BYTES = 4 * 1024;
const BLOCK_BYTES = 16 * 1024;

export class BodyPieces {
  #pieces: Buffer[] = [];
  /** The buffer for small chunks; bytes from `#begin` to `#end` are not in `#pieces` yet. */
  #block: Buffer | undefined;
  #begin = 0;
  #end = 0;

  add(piece: Buffer): void {
    // Most bodies arrive in one chunk.
    const isFirst = this.#pieces.length === 0 && this.#begin === this.#end;
    if (!isFirst && piece.length < LARGE_BYTES) {
      this.#copy(piece);
      return;
    }
    this.#closeRun();
    this.#pieces.push(piece);
  }

  /** Returns all chunks and forgets them. */
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
