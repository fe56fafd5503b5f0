// Times at which nodes and pods need a look, of any number of them with a single timer: the leases of a thousand nodes
// and the delays of their pods do not make thousands of timers.

import type { Clock, Timer } from '../../base/clock.ts';

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
  /** A binary heap by time; it also holds times that have been replaced, which are skipped. */
  readonly #heap: Wake[] = [];
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
    this.#push(next);
    this.#arm();
  }

  cancel(key: string): void {
    this.#next.delete(key);
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#next.clear();
    this.#heap.length = 0;
  }

  #arm(): void {
    this.#dropReplaced();
    const first = this.#heap[0];
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
      const first = this.#heap[0];
      if (first === undefined || first.atMs > nowMs) break;
      this.#pop();
      this.#next.delete(first.key);
      first.wake();
    }
    this.#arm();
  }

  #dropReplaced(): void {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (this.#next.get(first.key) === first) return;
      this.#pop();
    }
  }

  #push(wake: Wake): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(wake);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(wake, heap[parent]!)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = wake;
  }

  /** Removes the first one. */
  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
  }
}

function isBefore(one: Wake, other: Wake): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.turn < other.turn);
}
