// The maximum of a number within the last full second, for gauges that would miss short peaks.

import type { Clock } from '../base/clock.ts';

const PERIOD_MS = 1000;

export class HighWatermark {
  readonly #clock: Clock;
  #value = 0;
  #periodStartMs: number;
  #highest = 0;
  #lastHighest = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#periodStartMs = clock.now();
  }

  /** Sets the current number. */
  get value(): number {
    return this.#value;
  }

  /** @param nowMs the time by its clock, if known */
  add(change: number, nowMs = this.#clock.now()): void {
    this.#roll(nowMs);
    this.#value += change;
    if (this.#value > this.#highest) this.#highest = this.#value;
  }

  /** Of the last full second. */
  get highest(): number {
    this.#roll(this.#clock.now());
    return this.#lastHighest;
  }

  #roll(nowMs: number): void {
    const elapsed = nowMs - this.#periodStartMs;
    if (elapsed < PERIOD_MS) return;
    this.#lastHighest = elapsed < 2 * PERIOD_MS ? this.#highest : this.#value;
    this.#highest = this.#value;
    this.#periodStartMs += elapsed - (elapsed % PERIOD_MS);
  }
}
