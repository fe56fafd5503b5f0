// Unused buffers of one size. New ones for every piece of a long body would burden the garbage collector, which counts
// their bytes as memory of this program.

import { limits } from './limits.ts';

export class SpareBuffers<Bytes extends Uint8Array> {
  readonly #make: () => Bytes;
  readonly #buffers: Bytes[] = [];

  /** @param make a new buffer, always of the same size */
  constructor(make: () => Bytes) {
    this.#make = make;
  }

  /** A buffer with any content. */
  take(): Bytes {
    return this.#buffers.pop() ?? this.#make();
  }

  /** Keeps a buffer for the next user; it must have been taken here. */
  putBack(buffer: Bytes): void {
    if ((this.#buffers.length + 1) * buffer.length <= limits.spareBufferBytes) this.#buffers.push(buffer);
  }
}
