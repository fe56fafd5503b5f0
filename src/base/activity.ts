// Count of the work in progress in a group of loops, such as controllers: it tells when all of them have come to rest.
// A test awaits that instead of a time.

export class Activity {
  readonly #nextTurn: () => Promise<void>;
  #running = 0;
  #begun = 0;
  #onRest: (() => void)[] = [];

  /** @param nextTurn resolves in the next turn of the event loop, after pending I/O */
  constructor(nextTurn: () => Promise<void>) {
    this.#nextTurn = nextTurn;
  }

  /** Some work has begun; each call is followed by one of `end`. */
  begin(): void {
    this.#running++;
    this.#begun++;
  }

  end(): void {
    if (--this.#running > 0) return;
    for (const resolve of this.#onRest.splice(0)) resolve();
  }

  /** Counts a promise as work until it settles; its result is the promise's. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.begin();
    try {
      return await work;
    } finally {
      this.end();
    }
  }

  /**
   * Resolves once nothing is in progress, and what ended has not begun anything in the turns of the event loop that
   * followed. Work that waits for a timer is not in progress.
   */
  async settled(): Promise<void> {
    for (;;) {
      while (this.#running > 0) await new Promise<void>((resolve) => this.#onRest.push(resolve));
      const before = this.#begun;
      // One turn for what was about to begin, one for what that adds.
      await this.#nextTurn();
      await this.#nextTurn();
      if (this.#running === 0 && this.#begun === before) return;
    }
  }
}
