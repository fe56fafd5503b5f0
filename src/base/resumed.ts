// Long computations that cannot pause, run in slices all the same: when its time is over, a computation is broken off, and
// begun again later; the parts that it had finished are remembered and not computed again. It must be a function of values
// that do not change, without effects, and so must its parts. What they remember from one to the next is declared by
// `remembering`.

import { limits } from './limits.ts';
import { atOnce, type Steps } from './steps.ts';

/** Thrown to break a computation off. It is no error, and whoever catches it must throw it again. */
class BrokenOff {}

const BROKEN_OFF = new BrokenOff();

/** Whether it was not an error that was caught, but the end of a slice, which must be thrown again. */
export function isBrokenOff(thrown: unknown): boolean {
  return thrown === BROKEN_OFF;
}

/** How a part ended, and how many parts it is within. */
interface Finished {
  readonly depth: number;
  readonly outcome: Outcome<unknown>;
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

/** Parts within each other. */
const NESTED_PARTS = 100;

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
  /** Whether a part was finished that was not known: without one, the next slice would not get any further. */
  #hasProgress = false;
  /** 'parts': they change what is remembered, so each of them is recorded; 'whole': none may be broken off. */
  #mode: 'free' | 'parts' | 'whole' = 'free';

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(): void {
    this.#next = 0;
    this.#depth = 0;
    this.#startMs = this.#now();
    this.#newMs = undefined;
    this.#hasProgress = false;
    this.#mode = 'free';
  }

  get recordsAll(): boolean {
    return this.#mode === 'parts';
  }

  /** Deeper parts are not counted as such: the stack is not deep enough for them. */
  get isShallow(): boolean {
    return this.#depth < NESTED_PARTS;
  }

  part<Result>(compute: () => Result): Result {
    if (this.#mode === 'whole' || !this.isShallow) return compute();
    const at = this.#next;
    const known = this.#finished[at];
    if (known?.depth === this.#depth) {
      this.#next++;
      return resultOf(known.outcome as Outcome<Result>);
    }
    if (known === undefined) this.#checkTime();
    const outcome = this.#within(compute, this.#mode === 'parts' ? 'whole' : 'free');
    this.#finished.length = at;
    this.#finished.push({ depth: this.#depth, outcome });
    this.#hasProgress = true;
    this.#next = at + 1;
    return resultOf(outcome);
  }

  remembering<Memory, Result>(make: () => Memory, use: (memory: Memory) => Result): Result {
    if (this.#mode !== 'free' || !this.isShallow) return use(make());
    return this.part(() => {
      const memory = this.part(make);
      this.#mode = 'parts';
      return use(memory);
    });
  }

  #within<Result>(compute: () => Result, mode: 'free' | 'whole'): Outcome<Result> {
    const outer = this.#mode;
    this.#mode = mode;
    this.#depth++;
    try {
      return { result: compute() };
    } catch (error) {
      if (error === BROKEN_OFF) throw error;
      return { error };
    } finally {
      this.#depth--;
      this.#mode = outer;
    }
  }

  /** At least as much time is spent on new parts as on coming back to them. @throws BrokenOff */
  #checkTime(): void {
    const nowMs = this.#now();
    this.#newMs ??= nowMs;
    const neededMs = Math.max(limits.turnMs, this.#newMs - this.#startMs);
    if (this.#hasProgress && nowMs - this.#newMs > neededMs) throw BROKEN_OFF;
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

/** Parts of a computation in one step, where no time is known. */
const PARTS_IN_STEP = 100;

/** Runs a computation in steps of a number of parts. */
export function resumedByParts<Result>(compute: () => Result): Steps<Result> {
  let parts = 0;
  return resumed(compute, () => (parts++ * limits.turnMs) / PARTS_IN_STEP);
}

/**
 * A part of a computation: before it, the computation may be broken off. Outside of any, it is just computed. A list that
 * it results in belongs to the caller.
 */
export function part<Result>(compute: () => Result): Result {
  return running === undefined ? compute() : ownResult(running.part(compute));
}

/** A result that the caller may add to: what is remembered stays as it was when its part ended. */
function ownResult<Result>(result: Result): Result {
  return Array.isArray(result) ? (result.slice() as Result) : result;
}

/**
 * A computation whose parts remember something from one to the next: nothing but its own parts and the items of its lists
 * may change that, and within them nothing is broken off.
 * @param make what is remembered, in the beginning
 */
export function remembering<Memory, Result>(make: () => Memory, use: (memory: Memory) => Result): Result {
  return running === undefined ? use(make()) : ownResult(running.remembering(make, use));
}

/** Whether a computation is running that may be broken off before a part. */
export function hasParts(): boolean {
  return running?.isShallow === true;
}

/** The result of steps, each of which is a part: nothing within a step is broken off. Outside of any, runs them at once. */
export function inParts<Result>(make: () => Steps<Result>): Result {
  if (running === undefined) return atOnce(make());
  const within = (steps: Steps<Result>) => {
    for (;;) {
      const step = part(() => steps.next());
      if (step.done === true) return step.value;
    }
  };
  return ownResult(running.remembering(make, within));
}

/** Items that are one part, and parts that are one part of a longer list. */
const ITEMS_IN_PART = 16;

/**
 * Computes something for each place of a list, in parts of parts, so that coming back to a long list that is finished, or
 * half of one, takes no time worth mentioning. What its parts remember is recorded one by one, without parts of parts.
 * @param some computes it for the places from one to before another
 */
function grouped<Result>(
  from: number,
  to: number,
  some: (from: number, to: number) => readonly Result[] | undefined,
): Result[] {
  const all: Result[] = [];
  let size = ITEMS_IN_PART;
  if (running?.recordsAll !== true) while (size * ITEMS_IN_PART < to - from) size *= ITEMS_IN_PART;
  for (let at = from; at < to; at += size) {
    const end = Math.min(at + size, to);
    const found = part(() => (size === ITEMS_IN_PART ? some(at, end) : grouped(at, end, some)));
    if (found !== undefined) for (const each of found) all.push(each);
  }
  return all;
}

/**
 * The result for each item, in order. May complete the items, if doing so again changes nothing.
 * @param compute must not remember anything from one item to the next, except within `remembering`
 */
export function eachOf<Item, Result>(items: readonly Item[], compute: (item: Item, index: number) => Result): Result[] {
  if (!hasParts()) return items.map(compute);
  return grouped(0, items.length, (from, to) => items.slice(from, to).map((item, at) => compute(item, from + at)));
}

/** Whether all items pass; those after one that does not are not checked. Like `eachOf`. */
export function allPass<Item>(items: readonly Item[], check: (item: Item, index: number) => boolean): boolean {
  if (!hasParts()) return items.every(check);
  for (let from = 0; from < items.length; from += ITEMS_IN_PART) {
    const some = items.slice(from, from + ITEMS_IN_PART);
    if (!part(() => some.every((item, at) => check(item, from + at)))) return false;
  }
  return true;
}

/** The first result that is defined; items after that one are not looked at. Like `eachOf`. */
export function firstFound<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => Result | undefined,
): Result | undefined {
  for (let from = 0; from < items.length; from += ITEMS_IN_PART) {
    const found = part(() => {
      for (const item of items.slice(from, from + ITEMS_IN_PART)) {
        const result = find(item);
        if (result !== undefined) return { result };
      }
      return undefined;
    });
    if (found !== undefined) return found.result;
  }
  return undefined;
}

/**
 * All results for the items, in order.
 * @param check must not remember anything from one item to the next, except within `remembering`
 */
export function overItems<Item, Result>(
  items: readonly Item[],
  check: (item: Item, index: number) => readonly Result[],
): Result[] {
  const some = (from: number, to: number) => someOf(items, { from, to }, check);
  const isShort = items.length <= ITEMS_IN_PART && running?.recordsAll !== true;
  return isShort ? (some(0, items.length) ?? []) : grouped(0, items.length, some);
}

/** The results for some of the items; undefined if there are none. */
function someOf<Item, Result>(
  items: readonly Item[],
  { from, to }: { readonly from: number; readonly to: number },
  check: (item: Item, index: number) => readonly Result[],
): Result[] | undefined {
  let all: Result[] | undefined;
  for (let index = from; index < to; index++) {
    const found = check(items[index] as Item, index);
    if (found.length === 0) continue;
    all ??= [];
    for (const each of found) all.push(each);
  }
  return all;
}
