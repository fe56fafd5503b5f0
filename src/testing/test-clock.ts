// The clock of a test server: it follows real time, and can be advanced by the test.

import type { Clock, Timer } from '../base/clock.ts';
import { parseGoDuration } from '../base/go-duration.ts';

interface Waiting {
  readonly at: number;
  readonly wake: () => void;
  timer: Timer;
}

export class TestClock implements Clock {
  readonly #real: Clock;
  readonly #waiting = new Set<Waiting>();
  #aheadMs = 0;

  /** @param real the clock that it follows */
  constructor(real: Clock) {
    this.#real = real;
  }

  now(): number {
    return this.#real.now() + this.#aheadMs;
  }

  after(delayMs: number, wake: () => void): Timer {
    const waiting: Waiting = { at: this.now() + delayMs, wake, timer: { cancel: () => {} } };
    this.#wait(waiting);
    return {
      cancel: () => {
        waiting.timer.cancel();
        this.#waiting.delete(waiting);
      },
    };
  }

  /**
   * Advances time. Timers that fall due run before this returns, in order, each at its own time, including those set
   * meanwhile; asynchronous continuations run afterwards.
   *
   * @param duration milliseconds, or such as `90s`, `1h30m`. Throws RangeError for a negative one.
   */
  advance(duration: number | string): void {
    const byMs = typeof duration === 'number' ? duration : parseGoDuration(duration);
    if (!(byMs >= 0)) throw new RangeError(`the clock can only move forward, not by ${duration}`);
    const end = this.now() + byMs;
    for (;;) {
      const due = [...this.#waiting].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (due === undefined) break;
      this.#leapTo(due.at);
      due.timer.cancel();
      this.#waiting.delete(due);
      due.wake();
    }
    this.#leapTo(end);
    for (const waiting of this.#waiting) {
      waiting.timer.cancel();
      this.#wait(waiting);
    }
  }

  #leapTo(time: number): void {
    this.#aheadMs += Math.max(0, time - this.now());
  }

  #wait(waiting: Waiting): void {
    this.#waiting.add(waiting);
    waiting.timer = this.#real.after(Math.max(0, waiting.at - this.now()), () => {
      this.#waiting.delete(waiting);
      waiting.wake();
    });
  }
}
