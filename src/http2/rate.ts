// Rate limiter: a burst, a number per second, and what is earned otherwise.

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

  /** Counts one event, or one that is worth several; returns whether it is within the rate. */
  allows(cost = 1): boolean {
    if (this.#left >= cost) {
      this.#left -= cost;
      return true;
    }
    const nowMs = this.#now();
    // Clocks may be set back.
    this.earns((Math.max(0, nowMs - this.#filledAtMs) / 1000) * this.#perSecond);
    this.#filledAtMs = nowMs;
    if (this.#left < cost) return false;
    this.#left -= cost;
    return true;
  }

  /** Permits so many more events, up to the burst. */
  earns(events: number): void {
    this.#left = Math.min(this.#burst, this.#left + events);
  }
}
