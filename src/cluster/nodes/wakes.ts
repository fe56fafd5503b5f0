// Times at which nodes and pods need a look, of any number of them with a single timer: the leases of a thousand nodes
// and the delays of their pods do not make thousands of timers.

import type { Clock, Timer } from '../../base/clock.ts';
import { Heap } from '../../base/heap.ts';

interface Wake {
  readonly key: string;
  readonly atMs: number;
  /** The order among those of the same time. */
  readonly turn: number;
  readonly wake: () => void;
}

/** The longest single wait, below the limit of the runtime's timers. */
const LONGEST_MS = 86_400_000;

export class Wakes {
  readonly #clock: Clock;
  /** The next time of each key. */
  readonly #next = new Map<string, Wake>();
  /** By time; it also holds times that have been replaced, which are skipped. */
  #heap = new Heap<Wake>(isBefore);
  #turn = 0;
  #timer: Timer | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets the time of a key, instead of an earlier one. */
  set(key: string, atMs: number, wake: () => void): void {
    if (this.#next.get(key)?.atMs === atMs) return;
    const next: Wake = { key, atMs, turn: this.#turn++, wake };
    this.#next.set(key, next);
    this.#heap.add(next);
    this.#arm();
  }

  cancel(key: string): void {
    this.#next.delete(key);
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#next.clear();
    this.#heap = new Heap<Wake>(isBefore);
  }

  #arm(): void {
    this.#dropReplaced();
    const first = this.#heap.first();
    if (first === undefined || (this.#timer !== undefined && this.#timerAtMs <= first.atMs)) return;
    this.#timer?.cancel();
    const nowMs = this.#clock.now();
    this.#timerAtMs = Math.min(first.atMs, nowMs + LONGEST_MS);
    this.#timer = this.#clock.after(Math.max(0, this.#timerAtMs - nowMs), () => this.#ring());
  }

  #ring(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.now();
    for (;;) {
      this.#dropReplaced();
      const first = this.#heap.first();
      if (first === undefined || first.atMs > nowMs) break;
      this.#heap.take();
      this.#next.delete(first.key);
      first.wake();
    }
    this.#arm();
  }

  #dropReplaced(): void {
    for (let first = this.#heap.first(); first !== undefined; first = this.#heap.first()) {
      if (this.#next.get(first.key) === first) return;
      this.#heap.take();
    }
  }
}

function isBefore(one: Wake, other: Wake): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.turn < other.turn);
}
