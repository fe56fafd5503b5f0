// When what is being read from connections became readable: while the event loop works, bytes wait in the kernel, and
// nothing tells for how long. But the loop looks for them once per round, so they came after it last looked.
//
// The moment is taken to lie in the middle of that time, which is right on average. After a round without reported work
// nothing is known, and they count as just come.

interface ReadTimesOptions {
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls `run` in the next round of the event loop, after what was readable has been read. */
  readonly nextRound: (run: () => void) => void;
}

export class ReadTimes {
  readonly #options: ReadTimesOptions;
  /** When the loop looked before it last did; undefined if that is unknown. */
  #beforeMs: number | undefined;
  /** When something was first read after it last did. */
  #readMs: number | undefined;
  #hasWorked = false;
  #isFollowing = false;

  constructor(options: ReadTimesOptions) {
    this.#options = options;
  }

  /** Reports work in the current round. */
  worked(): void {
    this.#hasWorked = true;
    if (this.#isFollowing) return;
    if (this.#readMs === undefined) this.#beforeMs = this.#options.now();
    this.#follow();
  }

  /** For how long, about, what was just read has been readable, in milliseconds. */
  waitedMs(): number {
    const nowMs = this.#options.now();
    this.#readMs ??= nowMs;
    const unseenMs = this.#readMs - (this.#beforeMs ?? this.#readMs);
    return Math.max(0, nowMs - this.#readMs + unseenMs / 2);
  }

  #follow(): void {
    this.#isFollowing = true;
    this.#options.nextRound(() => {
      this.#isFollowing = false;
      const hasWorked = this.#hasWorked;
      this.#beforeMs = hasWorked ? (this.#readMs ?? this.#options.now()) : undefined;
      this.#readMs = undefined;
      this.#hasWorked = false;
      if (hasWorked) this.#follow();
    });
  }
}
