// The latest writes of a store, in order and without gaps, limited in time, bytes and number. Released events are
// passed to its owner.

import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { Ring } from '../base/ring.ts';
import type { StoreEvent } from './store.ts';

export interface HistoryOptions {
  readonly clock: Clock;
  /** How long a write is kept, in milliseconds, unless another limit is reached first. */
  readonly historyMs?: number;
  /** Maximum bytes of superseded values. */
  readonly historyBytes?: number;
  /** Maximum number of writes. */
  readonly historyEvents?: number;
  /** The size of an event, if it is not that of the value it supersedes. */
  readonly bytesOf?: (event: StoreEvent) => number;
}

/** The latest revision at a time. */
interface Mark {
  readonly revision: number;
  readonly timeMs: number;
}

interface Remembered {
  readonly event: StoreEvent;
  readonly timeMs: number;
}

const revisionOf = (remembered: Remembered): number => remembered.event.revision;
const supersededBytes = (event: StoreEvent): number => event.previous?.value.length ?? 0;

export class History {
  readonly #clock: Clock;
  readonly #historyMs: number;
  readonly #historyBytes: number;
  readonly #historyEvents: number;
  readonly #bytesOf: (event: StoreEvent) => number;
  readonly #onRelease: (event: StoreEvent) => void;
  readonly #ring = new Ring<Remembered>();
  #bytes = 0;
  #compacted: number;
  #newest: number;
  #expired: number;
  /** For the time covered by history, oldest first. */
  readonly #marks: Mark[] = [];

  /**
   * @param compacted the revision after which the history begins.
   * @param onRelease receives each released event, oldest first.
   */
  constructor(options: HistoryOptions, compacted: number, onRelease: (event: StoreEvent) => void) {
    this.#clock = options.clock;
    this.#historyMs = options.historyMs ?? limits.historyMs;
    this.#historyBytes = options.historyBytes ?? limits.storeHistoryBytes;
    this.#historyEvents = options.historyEvents ?? limits.storeHistoryEvents;
    this.#bytesOf = options.bytesOf ?? supersededBytes;
    this.#compacted = compacted;
    this.#newest = compacted;
    this.#expired = compacted;
    this.#onRelease = onRelease;
  }

  get length(): number {
    return this.#ring.length;
  }

  /** Events up to this revision have been released; all later ones are available. */
  get compacted(): number {
    return this.#compacted;
  }

  /**
   * The latest revision as of `historyMs` ago, with a precision of `releaseEveryMs`. Unlike `compacted` it only depends
   * on time: under many writes it is behind.
   */
  get expired(): number {
    return this.#expired;
  }

  /** How often `releaseOld` should be called without writes, in milliseconds. */
  get releaseEveryMs(): number {
    return Math.max(1, Math.ceil(this.#historyMs / 5));
  }

  append(event: StoreEvent, timeMs: number): void {
    this.#ring.push({ event, timeMs });
    this.#bytes += this.#bytesOf(event);
    this.#newest = event.revision;
    this.releaseOld();
  }

  /** The events after `revision`, oldest first. */
  *after(revision: number): Generator<StoreEvent, void, undefined> {
    for (let at = this.#ring.after(revision, revisionOf); at < this.#ring.end; at++) yield this.#ring.at(at)!.event;
  }

  /** The events after `revision`, newest first. */
  *backTo(revision: number): Generator<StoreEvent, void, undefined> {
    const first = this.#ring.after(revision, revisionOf);
    for (let at = this.#ring.end - 1; at >= first; at--) yield this.#ring.at(at)!.event;
  }

  /** Releases what exceeds the limits. */
  releaseOld(): void {
    const nowMs = this.#clock.now();
    const oldestMs = nowMs - this.#historyMs;
    this.#mark(nowMs, oldestMs);
    for (;;) {
      const oldest = this.#ring.at(this.#ring.first);
      if (oldest === undefined) return;
      const within = this.#bytes <= this.#historyBytes && this.#ring.length <= this.#historyEvents;
      if (within && oldest.timeMs > oldestMs) return;
      this.#releaseOldest();
    }
  }

  /** Releases the events up to and including `revision`, which need not be that of an event. */
  releaseTo(revision: number): void {
    for (let oldest = this.#oldest; oldest !== undefined && oldest <= revision; oldest = this.#oldest) {
      this.#releaseOldest();
    }
    this.#compacted = Math.max(this.#compacted, revision);
    this.#expired = Math.max(this.#expired, revision);
  }

  #mark(nowMs: number, oldestMs: number): void {
    const last = this.#marks.at(-1);
    if (last === undefined || nowMs - last.timeMs >= this.releaseEveryMs) {
      this.#marks.push({ revision: this.#newest, timeMs: nowMs });
    }
    while (this.#marks.length > 0 && this.#marks[0]!.timeMs <= oldestMs) {
      this.#expired = Math.max(this.#expired, this.#marks.shift()!.revision);
    }
  }

  get #oldest(): number | undefined {
    return this.#ring.at(this.#ring.first)?.event.revision;
  }

  #releaseOldest(): void {
    const { event } = this.#ring.drop()!;
    this.#bytes -= this.#bytesOf(event);
    this.#compacted = event.revision;
    this.#onRelease(event);
  }
}
