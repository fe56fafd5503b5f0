// The clock as a dependency: everything that reads the time or waits receives one, so that tests control time.

/** A pending wait that can be cancelled. */
export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `wake` once, `delayMs` milliseconds from now. A pending timer does not keep the process alive. */
  after(delayMs: number, wake: () => void): Timer;
}

/** A clock that only moves when a test moves it. */
export class ManualClock implements Clock {
  #now: number;
  #timers: { at: number; wake: () => void }[] = [];

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, wake: () => void): Timer {
    const timer = { at: this.#now + delayMs, wake };
    this.#timers.push(timer);
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  /** Advances time and runs, in order, each timer that falls due, including those set meanwhile. */
  advance(durationMs: number): void {
    const end = this.#now + durationMs;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.wake();
    }
    this.#now = end;
  }
}
