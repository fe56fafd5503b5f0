// Waiters for a future revision of the cache.

import type { Clock, Timer } from '../base/clock.ts';

/** The revision is also advanced by writes that the cache does not see, so it is polled. */
const LOOK_MS = 10;

interface Waiter {
  readonly revision: number;
  readonly untilMs: number;
  readonly settle: (reached: boolean) => void;
}

export class RevisionWaiters {
  readonly #clock: Clock;
  readonly #revision: () => number;
  readonly #waiters = new Set<Waiter>();
  #timer: Timer | undefined;

  /** @param revision returns the current revision */
  constructor(clock: Clock, revision: () => number) {
    this.#clock = clock;
    this.#revision = revision;
  }

  /** Resolves to whether the revision was reached within `waitMs`, before the signal was aborted and before close. */
  wait(revision: number, waitMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#revision() >= revision) return Promise.resolve(true);
    if (waitMs <= 0 || signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const abort = () => waiter.settle(false);
      const waiter: Waiter = {
        revision,
        untilMs: this.#clock.now() + waitMs,
        settle: (reached) => {
          signal?.removeEventListener('abort', abort);
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      signal?.addEventListener('abort', abort);
      this.#waiters.add(waiter);
      this.#lookLater();
    });
  }

  /** Settles waiters whose revision was reached or whose time is up. */
  look(): void {
    if (this.#waiters.size === 0) return;
    const revision = this.#revision();
    const now = this.#clock.now();
    for (const waiter of this.#waiters) {
      if (revision >= waiter.revision) waiter.settle(true);
      else if (now >= waiter.untilMs) waiter.settle(false);
    }
  }

  /** Settles all waiters. */
  close(): void {
    this.#timer?.cancel();
    for (const waiter of this.#waiters) waiter.settle(false);
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#waiters.size === 0) return;
    this.#timer = this.#clock.after(LOOK_MS, () => {
      this.#timer = undefined;
      this.look();
      this.#lookLater();
    });
  }
}
