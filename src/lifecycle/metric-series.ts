// Counters, gauges and histograms: single series of metrics, in Prometheus' text format.

import { formatNumber } from './metric-text.ts';
import type { NativeCounts, NativeHistogram } from './native-histogram.ts';

export class Counter {
  #value = 0;

  add(amount = 1): void {
    this.#value += amount;
  }

  get isZero(): boolean {
    return this.#value === 0;
  }

  reset(): void {
    this.#value = 0;
  }

  write(name: string, labels: string): string {
    return `${sampleName(name, labels)} ${formatNumber(this.#value)}\n`;
  }
}

export class Gauge {
  #value = 0;

  set(value: number): void {
    this.#value = value;
  }

  add(amount: number): void {
    this.#value += amount;
  }

  write(name: string, labels: string): string {
    return `${sampleName(name, labels)} ${formatNumber(this.#value)}\n`;
  }
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  readonly #native: NativeHistogram | undefined;
  #sum = 0;

  /** @param native counts the same in buckets of its own */
  constructor(bounds: readonly number[], native?: NativeHistogram) {
    this.#bounds = bounds;
    this.#native = native;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  /** Most values are in the first buckets, where linear search is faster than binary search. */
  observe(value: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += value;
    this.#native?.observe(value);
  }

  get isZero(): boolean {
    return this.#counts.every((count) => count === 0);
  }

  reset(): void {
    this.#counts.fill(0);
    this.#sum = 0;
    this.#native?.reset();
  }

  native(): NativeCounts | undefined {
    return this.#native?.counts();
  }

  write(name: string, labels: string): string {
    const before = labels === '' ? '' : `${labels},`;
    let text = '';
    let count = 0;
    for (const [index, added] of this.#counts.entries()) {
      count += added;
      const bound = this.#bounds[index];
      const le = bound === undefined ? '+Inf' : formatNumber(bound);
      text += `${name}_bucket{${before}le="${le}"} ${count}\n`;
    }
    text += `${sampleName(`${name}_sum`, labels)} ${formatNumber(this.#sum)}\n`;
    return `${text}${sampleName(`${name}_count`, labels)} ${count}\n`;
  }
}

function sampleName(name: string, labels: string): string {
  return labels === '' ? name : `${name}{${labels}}`;
}

export interface Series {
  /** The lines of one series; `labels` is the text between the braces. */
  write(name: string, labels: string): string;
  /** What a native histogram beside it has counted, if there is one. */
  native?(): NativeCounts | undefined;
  /** Whether nothing was counted. */
  readonly isZero?: boolean;
  /** Resets the value; absent for current values. */
  reset?(): void;
}
