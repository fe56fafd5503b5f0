// Buffer of received data, in order. Small pieces are merged: each would cost more memory than its content, and keep the
// whole socket read alive. A limit on bytes thereby limits the number of pieces too.

/** Pieces of this size are kept as they are. */
const LARGE_BYTES = 4 * 1024;
const BLOCK_BYTES = 16 * 1024;

export class SmallPieces<Bytes extends Uint8Array> {
  /** Bytes that have been added and not taken. */
  length = 0;
  readonly #allocate: (bytes: number) => Bytes;
  #pieces: Bytes[] = [];
  /** The buffer for small pieces; bytes from `#begin` to `#end` are not in `#pieces` yet. */
  #block: Bytes | undefined;
  #begin = 0;
  #end = 0;

  /** @param allocate returns a buffer of so many bytes, with any content */
  constructor(allocate: (bytes: number) => Bytes) {
    this.#allocate = allocate;
  }

  add(piece: Bytes): void {
    this.length += piece.length;
    // Most data arrives in one piece.
    const isFirst = this.#pieces.length === 0 && this.#begin === this.#end;
    if (!isFirst && piece.length < LARGE_BYTES) {
      this.#copy(piece);
      return;
    }
    this.#closeRun();
    this.#pieces.push(piece);
  }

  /** Returns all pieces and forgets them. */
  take(): Bytes[] {
    this.#closeRun();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.length = 0;
    return pieces;
  }

  #copy(piece: Bytes): void {
    if (this.#block === undefined || this.#end + piece.length > BLOCK_BYTES) {
      this.#closeRun();
      this.#block = this.#allocate(BLOCK_BYTES);
      this.#begin = 0;
      this.#end = 0;
    }
    this.#block.set(piece, this.#end);
    this.#end += piece.length;
  }

  #closeRun(): void {
    if (this.#begin < this.#end) this.#pieces.push((this.#block as Bytes).subarray(this.#begin, this.#end) as Bytes);
    this.#begin = this.#end;
  }
}
