// Seat demand of a priority level, observed per adjustment period.

import type { Clock } from '../base/clock.ts';

/** Smoothing coefficient; Kubernetes' value halves a difference within five minutes. */
const SMOOTHING = 0.977;

export class SeatDemand {
  /** Of the last period, weighted by time. */
  average = 0;
  deviation = 0;
  highWatermark = 0;
  /** Falls slowly after a peak. */
  smoothed = 0;
  readonly #clock: Clock;
  #seats = 0;
  #most = 0;
  #sinceMs: number;
  #elapsedMs = 0;
  #integral = 0;
  #integralOfSquares = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.now();
  }

  set(seats: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#seats = seats;
    if (seats > this.#most) this.#most = seats;
  }

  /** Ends a period and begins the next. */
  endPeriod(): void {
    this.#advance(this.#clock.now());
    this.highWatermark = this.#most;
    if (this.#elapsedMs > 0) {
      this.average = this.#integral / this.#elapsedMs;
      this.deviation = Math.sqrt(Math.max(0, this.#integralOfSquares / this.#elapsedMs - this.average ** 2));
      const envelope = this.average + this.deviation;
      this.smoothed = Math.max(envelope, SMOOTHING * this.smoothed + (1 - SMOOTHING) * envelope);
    }
    this.#most = this.#seats;
    this.#elapsedMs = 0;
    this.#integral = 0;
    this.#integralOfSquares = 0;
  }

  #advance(nowMs: number): void {
    const elapsed = nowMs - this.#sinceMs;
    if (elapsed <= 0) return;
    this.#sinceMs = nowMs;
    this.#elapsedMs += elapsed;
    this.#integral += elapsed * this.#seats;
    this.#integralOfSquares += elapsed * this.#seats ** 2;
  }
}
