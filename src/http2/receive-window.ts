// Flow control of received data (RFC 9113, 5.2): how much the peer may send. The window is enlarged when half of it has
// been consumed.

export class ReceiveWindow {
  readonly #sizeBytes: number;
  /** The remaining window. */
  #leftBytes: number;
  /** Bytes consumed since the last update. */
  #doneBytes = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#leftBytes = sizeBytes;
  }

  /** Whether so many more bytes were permitted. */
  take(bytes: number): boolean {
    this.#leftBytes -= bytes;
    return this.#leftBytes >= 0;
  }

  /** The increment to announce after consuming so many bytes; 0 for none yet. */
  done(bytes: number): number {
    this.#doneBytes += bytes;
    if (this.#doneBytes * 2 < this.#sizeBytes) return 0;
    const offered = this.#doneBytes;
    this.#doneBytes = 0;
    this.#leftBytes += offered;
    return offered;
  }
}
