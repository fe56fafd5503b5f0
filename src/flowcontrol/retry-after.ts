// The seconds after which refused clients should come again. The more is refused, the longer they are sent away.

/** Kubernetes' own number. */
const MAX_SECONDS = 32;

interface Second {
  readonly at: number;
  drops: number;
}

/** The advice for one priority level. */
export class RetryAfter {
  /** Seconds with drops, the newest last. */
  #seconds: Second[] = [];
  #advice = 1;
  /** When it was raised last. */
  #raisedAt = Number.NEGATIVE_INFINITY;

  /** What to tell the next client, in seconds. */
  get seconds(): number {
    return this.#advice;
  }

  /**
   * Counts a request that was refused. The advice changes only with the first of a second.
   * @returns how many have been refused in this second
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

  /** Doubled when many were refused in as many seconds as the advice says, lowered by one when few were. */
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
