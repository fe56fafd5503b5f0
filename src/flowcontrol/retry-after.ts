// Retry-After for rejected clients: the more requests are rejected, the longer it is.

/** Kubernetes' maximum. */
const MAX_SECONDS = 32;

interface Second {
  readonly at: number;
  drops: number;
}

/** The Retry-After of one priority level. */
export class RetryAfter {
  /** Seconds with rejections, the latest last. */
  #seconds: Second[] = [];
  #advice = 1;
  /** When it was last raised. */
  #raisedAt = Number.NEGATIVE_INFINITY;

  /** The value for the next client, in seconds. */
  get seconds(): number {
    return this.#advice;
  }

  /**
   * Counts a rejection. The value only changes with the first of a second.
   * @returns the number of rejections in this second
   */
  dropped(nowMs: number): number {
    const now = Math.floor(nowMs / 1000);
    const newest = this.#seconds.at(-1);
    if (newest?.at === now) return ++newest.drops;
    this.#reconsider(now);
    this.#seconds = this.#seconds.filter(({ at }) => now - at <= MAX_SECONDS);
    this.#seconds.push({ at: now, drops: 1 });
    return 1;
  }

  /** Doubled if many were rejected within that many seconds, decremented if few were. */
  #reconsider(now: number): void {
    const advice = this.#advice;
    let drops = 0;
    for (const second of this.#seconds) if (second.at < now && now - second.at <= advice) drops += second.drops;
    if (drops >= 3 * advice && now - this.#raisedAt >= advice) {
      this.#advice = Math.min(2 * advice, MAX_SECONDS);
      this.#raisedAt = now;
    } else if (drops < advice && advice > 1) this.#advice = advice - 1;
  }
}
