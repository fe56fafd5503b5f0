// Bytes in pieces, for content that is too long to be copied into one buffer.

import { Buffer } from 'node:buffer';

export class BytePieces {
  /** The number of bytes of all pieces. */
  readonly length: number;
  readonly #pieces: readonly Uint8Array[];

  /** @param pieces in order; they must not change afterwards */
  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** The bytes from `start` up to `end`, piece by piece, not copied. */
  *range(start = 0, end = this.length): Generator<Buffer, void> {
    let at = 0;
    for (const { buffer, byteOffset, length } of this.#pieces) {
      if (at >= end) return;
      const from = Math.max(start - at, 0);
      const to = Math.min(end - at, length);
      if (from < to) yield Buffer.from(buffer, byteOffset + from, to - from);
      at += length;
    }
  }

  /** The bytes from `start` up to `end` in one buffer. For short content: it is copied in one turn. */
  joined(start = 0, end = this.length): Buffer {
    return Buffer.concat([...this.range(start, end)]);
  }
}
