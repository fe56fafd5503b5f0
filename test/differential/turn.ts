// Scheduling of concurrent conversations, some of which must run alone.

export class Turn {
  #inside = 0;
  #alone = false;
  readonly #waiting: (() => void)[] = [];

  async enter(): Promise<void> {
    while (this.#alone) await this.#next();
    this.#inside++;
  }

  /** Called inside a conversation: waits until the others have ended. */
  async alone(): Promise<void> {
    this.leave();
    while (this.#alone || this.#inside > 0) await this.#next();
    this.#alone = true;
    this.#inside++;
  }

  leave(): void {
    this.#inside--;
    if (this.#inside === 0) this.#alone = false;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
