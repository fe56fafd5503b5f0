// Rate limiter: a burst, and a number per second.

export class Rate {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #filledAtMs: number;

  /** `now` returns milliseconds. */
  constructor(burst: number, perSecond: number, now: () => number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = burst;
    this.#filledAtMs = now();
  }

  /** Counts one event; returns whether it is within the rate. */
  allows(): boolean {
    if (this.#left >= 1) {
      this.#left--;
      return true;
    }
    const nowMs = this.#now();
    // Clocks may be set back.
    const earned = (Math.max(0, nowMs - this.#filledAtMs) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#burst, this.#left + earned);
    this.#filledAtMs = nowMs;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
