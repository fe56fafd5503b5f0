// The bytes of answers that clients have not taken yet: how many there are on one connection and on all, and who has let
// them wait the longest. Past its bound the slowest are cut off, so that readers that stand still cost others nothing.

/** An answer that waits for its client. */
export interface Waiting {
  /** Breaks it off; it reports that nothing waits any more. */
  cutOff(): void;
}

export class UnsentBytes {
  readonly #most: number;
  /** Of all connections, where this is one of them. */
  readonly #all: UnsentBytes | undefined;
  /** What each lets wait; who has taken nothing for the longest time stands first. */
  readonly #waiting = new Map<Waiting, number>();
  #bytes = 0;

  /** @param most bytes that may wait; one answer alone may be larger */
  constructor(most: number, all?: UnsentBytes) {
    this.#most = most;
    this.#all = all;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether half of the bound is taken, here or on all connections: who can wait with writing should. */
  get crowded(): boolean {
    return this.#bytes > this.#most / 2 || (this.#all?.crowded ?? false);
  }

  /** Tells how many bytes of an answer wait now; 0 when none do or the answer is over. */
  report(answer: Waiting, bytes: number): void {
    const before = this.#waiting.get(answer) ?? 0;
    if (bytes === before) return;
    // Who takes something goes to the end of the line.
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
