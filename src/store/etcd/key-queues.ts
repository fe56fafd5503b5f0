// Serialization of writes to one key by one process: concurrent ones would arrive in any order, and all but one would
// fail their expectation.

export class KeyQueues {
  readonly #last = new Map<string, Promise<unknown>>();
  #idle: (() => void)[] = [];
  #running = 0;

  /** Running and waiting writes. */
  get size(): number {
    return this.#running;
  }

  /** Runs a write after earlier ones of the same key. */
  async run<T>(key: string, write: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const running = before === undefined ? write() : before.then(write, write);
    this.#last.set(key, running);
    this.#running += 1;
    try {
      return await running;
    } finally {
      this.#running -= 1;
      if (this.#last.get(key) === running) this.#last.delete(key);
      if (this.#running === 0) for (const wake of this.#idle.splice(0)) wake();
    }
  }

  /** Resolves when no write is running or waiting. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
