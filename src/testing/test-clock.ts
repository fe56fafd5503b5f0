// The clock of a test server: it follows real time, and can be advanced by the test.

import type { Clock, Timer } from '../base/clock.ts';
import { parseGoDuration } from '../base/go-duration.ts';
import { Heap } from '../base/heap.ts';

interface Waiting {
  readonly at: number;
  /** The order among those of the same time. */
  readonly turn: number;
  readonly wake: () => void;
  timer: Timer;
}

/** How many cancelled ones may be in the heap before it is rebuilt, beside as many as wait. */
const SPARE = 64;

function isBefore(one: Waiting, other: Waiting): boolean {
  return one.at < other.at || (one.at === other.at && one.turn < other.turn);
}

export class TestClock implements Clock {
  readonly #real: Clock;
  readonly #settled: (() => Promise<void>) | undefined;
  readonly #waiting = new Set<Waiting>();
  /** Those that wait by time, and some that no longer do, which are skipped. */
  #heap = new Heap<Waiting>(isBefore);
  #turns = 0;
  #aheadMs = 0;

  /**
   * @param real the clock that it follows
   * @param settled resolves when all work in progress has ended; undefined if none depends on the time
   */
  constructor(real: Clock, settled?: () => Promise<void>) {
    this.#real = real;
    this.#settled = settled;
  }

  now(): number {
    return this.#real.now() + this.#aheadMs;
  }

  after(delayMs: number, wake: () => void): Timer {
    const waiting: Waiting = { at: this.now() + delayMs, turn: this.#turns++, wake, timer: { cancel: () => {} } };
    this.#waiting.add(waiting);
    this.#heap.add(waiting);
    if (this.#heap.size > 2 * this.#waiting.size + SPARE) this.#rebuild();
    this.#wait(waiting);
    return {
      cancel: () => {
        waiting.timer.cancel();
        this.#waiting.delete(waiting);
      },
    };
  }

  /**
   * Advances time. Timers that fall due run in order, each at its own time, including those set meanwhile. In a server
   * with nodes, what they set going ends before time moves on, and before the promise resolves: controllers, the
   * scheduler and the pods live through the time. In any other, all of them run before this returns, and asynchronous
   * continuations afterwards.
   *
   * @param duration milliseconds, or such as `90s`, `1h30m`. Throws RangeError for a negative one.
   */
  advance(duration: number | string): Promise<void> {
    const byMs = typeof duration === 'number' ? duration : parseGoDuration(duration);
    if (!(byMs >= 0)) throw new RangeError(`the clock can only move forward, not by ${duration}`);
    const end = this.now() + byMs;
    if (this.#settled !== undefined) return this.#liveUntil(end, this.#settled);
    while (this.#runNext(end));
    this.#arrive(end);
    return Promise.resolve();
  }

  async #liveUntil(end: number, settled: () => Promise<void>): Promise<void> {
    await settled();
    while (this.#runNext(end)) await settled();
    this.#arrive(end);
  }

  /** Runs the timers that fall due next, if any do until then. */
  #runNext(end: number): boolean {
    let next = this.#heap.first();
    for (; next !== undefined && !this.#waiting.has(next); next = this.#heap.first()) this.#heap.take();
    if (next === undefined || next.at > end) return false;
    this.#heap.take();
    this.#leapTo(next.at);
    next.timer.cancel();
    this.#waiting.delete(next);
    next.wake();
    return true;
  }

  #arrive(end: number): void {
    this.#leapTo(end);
    for (const waiting of this.#waiting) {
      waiting.timer.cancel();
      this.#wait(waiting);
    }
  }

  #leapTo(time: number): void {
    this.#aheadMs += Math.max(0, time - this.now());
  }

  /** Forgets those that no longer wait. */
  #rebuild(): void {
    this.#heap = new Heap<Waiting>(isBefore);
    for (const each of this.#waiting) this.#heap.add(each);
  }

  #wait(waiting: Waiting): void {
    waiting.timer = this.#real.after(Math.max(0, waiting.at - this.now()), () => {
      this.#waiting.delete(waiting);
      waiting.wake();
    });
  }
}
