// Accounting of response bytes that clients have not read: per connection and in total, with the clients that have not
// read for the longest time. Above the limit the slowest clients are disconnected, so that stalled readers cost others
// nothing.

/** A response that its client has not read completely. */
export interface Waiting {
  /** Aborts it; it then reports that nothing is unsent. */
  cutOff(): void;
}

export class UnsentBytes {
  readonly #most: number;
  /** The total over all connections, if this is one of them. */
  readonly #all: UnsentBytes | undefined;
  /** Unsent bytes of each response; the one whose client has not read for the longest time is first. */
  readonly #waiting = new Map<Waiting, number>();
  #bytes = 0;

  /** @param most unsent bytes; a single response may exceed it */
  constructor(most: number, all?: UnsentBytes) {
    this.#most = most;
    this.#all = all;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether half of the limit is reached, here or in total: writers that can wait should. */
  get crowded(): boolean {
    return this.#bytes > this.#most / 2 || (this.#all?.crowded ?? false);
  }

  /** Reports the current unsent bytes of a response; 0 if none or if the response has ended. */
  report(answer: Waiting, bytes: number): void {
    const before = this.#waiting.get(answer) ?? 0;
    if (bytes === before) return;
    // A response that made progress moves to the end of the queue.
    if (bytes < before) this.#waiting.delete(answer);
    if (bytes > 0) this.#waiting.set(answer, bytes);
    this.#bytes += bytes - before;
    this.#all?.report(answer, bytes);
    if (bytes > before) this.#relieve();
  }

  #relieve(): void {
    while (this.#bytes > this.#most && this.#waiting.size > 1) {
      const [slowest] = this.#waiting.keys();
      this.report(slowest!, 0);
      slowest!.cutOff();
    }
  }
}
