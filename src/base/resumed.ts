// Long computations that cannot pause, run in slices all the same: when its time is over, a computation is broken off, and
// begun again later; the parts that it had finished are remembered and not computed again. It must be a function of values
// that do not change, without effects, and so must its parts, which may not remember anything from one to the next.

import { limits } from './limits.ts';
import type { Steps } from './steps.ts';

/** Thrown to break a computation off. It is no error, and whoever catches it must throw it again. */
class BrokenOff {}

const BROKEN_OFF = new BrokenOff();

/** Whether it was not an error that was caught, but the end of a slice, which must be thrown again. */
export function isBrokenOff(thrown: unknown): boolean {
  return thrown === BROKEN_OFF;
}

/** The result of a part, and how many parts it is within. */
interface Finished {
  readonly depth: number;
  readonly result: unknown;
}

/** One computation. */
class Resumed {
  readonly #now: () => number;
  /** In the order of the parts; those within a finished part are forgotten. */
  readonly #finished: Finished[] = [];
  #next = 0;
  #depth = 0;
  #startMs = 0;
  /** When the first part was computed that was not known; undefined before. */
  #newMs: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(): void {
    this.#next = 0;
    this.#depth = 0;
    this.#startMs = this.#now();
    this.#newMs = undefined;
  }

  part<Result>(compute: () => Result): Result {
    const at = this.#next;
    const known = this.#finished[at];
    if (known?.depth === this.#depth) {
      this.#next++;
      return known.result as Result;
    }
    if (known === undefined) this.#checkTime();
    this.#depth++;
    const result = compute();
    this.#depth--;
    this.#finished.length = at;
    this.#finished.push({ depth: this.#depth, result });
    this.#next = at + 1;
    return result;
  }

  /** At least as much time is spent on new parts as on coming back to them. @throws BrokenOff */
  #checkTime(): void {
    const nowMs = this.#now();
    this.#newMs ??= nowMs;
    const neededMs = Math.max(limits.turnMs, this.#newMs - this.#startMs);
    if (nowMs - this.#newMs > neededMs) throw BROKEN_OFF;
  }
}

/** The computation that is on the stack, as an implicit argument of its parts; nothing remains of it afterwards. */
let running: Resumed | undefined;

/** Runs a computation in steps. @param now returns milliseconds */
export function* resumed<Result>(compute: () => Result, now: () => number): Steps<Result> {
  const computation = new Resumed(now);
  for (;;) {
    const outer = running;
    running = computation;
    computation.begin();
    try {
      return compute();
    } catch (thrown) {
      if (thrown !== BROKEN_OFF) throw thrown;
    } finally {
      running = outer;
    }
    yield;
  }
}

/** A part of a computation: before it, the computation may be broken off. Outside of any, it is just computed. */
export function part<Result>(compute: () => Result): Result {
  return running === undefined ? compute() : running.part(compute);
}

/** Items that are one part. */
const ITEMS_IN_PART = 16;

/** All results for the items, in order. @param check must not remember anything from one item to the next */
export function overItems<Item, Result>(
  items: readonly Item[],
  check: (item: Item, index: number) => readonly Result[],
): Result[] {
  const all: Result[] = [];
  const some = (from: number) => () => {
    const found: Result[] = [];
    const end = Math.min(from + ITEMS_IN_PART, items.length);
    for (let index = from; index < end; index++) {
      for (const each of check(items[index] as Item, index)) found.push(each);
    }
    return found;
  };
  for (let from = 0; from < items.length; from += ITEMS_IN_PART) {
    const found = items.length <= ITEMS_IN_PART ? some(from)() : part(some(from));
    for (const each of found) all.push(each);
  }
  return all;
}
