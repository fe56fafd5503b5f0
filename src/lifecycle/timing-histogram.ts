// A histogram of a value over time: every nanosecond counts as one observation. Kubernetes uses it for values that
// change constantly, such as seats in use, where samples would be misleading.

import type { Clock } from '../base/clock.ts';
import { formatNumber } from './metric-text.ts';

const NANOSECONDS_PER_MS = 1e6;

export class TimingHistogram {
  readonly #bounds: readonly number[];
  readonly #clock: Clock;
  /** Milliseconds spent in each bucket. */
  readonly #times: number[];
  #sum = 0;
  #value = 0;
  #bucket = 0;
  #sinceMs: number;

  /** @param bounds the increasing upper bounds of buckets; +Inf is added */
  constructor(bounds: readonly number[], clock: Clock) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#times = new Array<number>(bounds.length + 1).fill(0);
    this.#sinceMs = clock.now();
  }

  /** @param nowMs the time by the histogram's clock, if known */
  set(value: number, nowMs = this.#clock.now()): void {
    this.#advance(nowMs);
    this.#value = value;
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.#bucket = bucket;
  }

  write(name: string, labels: string): string {
    this.#advance(this.#clock.now());
    const before = labels === '' ? '' : `${labels},`;
    let text = '';
    let total = 0;
    for (const [index, time] of this.#times.entries()) {
      total += time;
      const bound = this.#bounds[index];
      const le = bound === undefined ? '+Inf' : formatNumber(bound);
      text += `${name}_bucket{${before}le="${le}"} ${formatNumber(total * NANOSECONDS_PER_MS)}\n`;
    }
    const braces = labels === '' ? '' : `{${labels}}`;
    text += `${name}_sum${braces} ${formatNumber(this.#sum * NANOSECONDS_PER_MS)}\n`;
    return `${text}${name}_count${braces} ${formatNumber(total * NANOSECONDS_PER_MS)}\n`;
  }

  #advance(nowMs: number): void {
    const elapsed = nowMs - this.#sinceMs;
    if (elapsed <= 0) return;
    this.#times[this.#bucket]! += elapsed;
    this.#sum += elapsed * this.#value;
    this.#sinceMs = nowMs;
  }
}

/** A number as a fraction of another that rarely changes, whose ratio is observed by a histogram. */
export class TimingRatio {
  readonly #histogram: TimingHistogram;
  #numerator = 0;
  #denominator: number;

  constructor(histogram: TimingHistogram, denominator = 1) {
    this.#histogram = histogram;
    this.#denominator = denominator;
  }

  set(numerator: number, nowMs?: number): void {
    this.#numerator = numerator;
    this.#histogram.set(numerator / this.#denominator, nowMs);
  }

  setDenominator(denominator: number): void {
    this.#denominator = denominator;
    this.set(this.#numerator);
  }
}
