// Flow control of what comes (RFC 9113, 5.2): how many bytes of bodies the other side may send. It is offered more when
// half of the window has been used and is done with.

export class ReceiveWindow {
  readonly #sizeBytes: number;
  /** What may still come. */
  #leftBytes: number;
  /** What came, is done with, and has not been offered again. */
  #doneBytes = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#leftBytes = sizeBytes;
  }

  /** Whether so many bytes more were allowed to come. */
  take(bytes: number): boolean {
    this.#leftBytes -= bytes;
    return this.#leftBytes >= 0;
  }

  /** Says how many bytes to offer now that so many more are done with; 0: none yet. */
  done(bytes: number): number {
    this.#doneBytes += bytes;
    if (this.#doneBytes * 2 < this.#sizeBytes) return 0;
    const offered = this.#doneBytes;
    this.#doneBytes = 0;
    this.#leftBytes += offered;
    return offered;
  }
}
