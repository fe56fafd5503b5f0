// Revisioned state of a store, its history and its watches: everything but making writes durable. Shared by the drivers
// that keep their state in memory.

import { compareKeys } from '../base/sorted-map.ts';
import { Entries } from './entries.ts';
import { History, type HistoryOptions } from './history.ts';
import {
  CompactedError,
  type Entry,
  FutureRevisionError,
  type ListOptions,
  type ListResult,
  type StoreEvent,
  type StoreStatistics,
  type StoreWatch,
  type WatchOptions,
} from './store.ts';
import { Watches } from './watches.ts';

/** One write of the timeline. `value` is undefined for a deletion. */
export interface TimedWrite {
  readonly revision: number;
  readonly key: string;
  readonly value: Buffer | undefined;
  readonly timeMs: number;
}

interface TimelineOptions extends HistoryOptions {
  /** The revision at which the timeline begins. */
  readonly compacted: number;
  /** Receives each released event, oldest first. */
  readonly onRelease?: (event: StoreEvent) => void;
}

export class Timeline {
  readonly #entries = new Entries();
  readonly #history: History;
  readonly #watches = new Watches();
  #revision: number;

  constructor(options: TimelineOptions) {
    this.#history = new History(options, options.compacted, options.onRelease ?? (() => {}));
    this.#revision = options.compacted;
  }

  /** The revision of the latest write. */
  get revision(): number {
    return this.#revision;
  }

  /** States and events from this revision on are complete: the state at it, and the events after it. */
  get compacted(): number {
    return this.#history.compacted;
  }

  /** The latest revision at the beginning of the time that history covers. */
  get expired(): number {
    return this.#history.expired;
  }

  get releaseEveryMs(): number {
    return this.#history.releaseEveryMs;
  }

  statistics(): Omit<StoreStatistics, 'queuedWrites'> {
    return { entries: this.#entries.size, bytes: this.#entries.bytes, historyEvents: this.#history.length };
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** All entries, in no order. */
  entries(): Entry[] {
    return this.#entries.all();
  }

  /** Adds a write of the initial state, which is not part of history. */
  restore({ key, value, revision }: TimedWrite): StoreEvent {
    const previous = value === undefined ? this.#entries.delete(key) : this.#entries.set({ key, value, revision });
    return { key, revision, value, previous };
  }

  /** Applies the write with the next revision, notifies the watches and returns the event. */
  apply(write: TimedWrite): StoreEvent {
    const event = this.restore(write);
    this.#revision = write.revision;
    this.#history.append(event, write.timeMs);
    this.#watches.dispatch(event);
    return event;
  }

  /** Throws CompactedError or FutureRevisionError if the state at the requested revision is not available. */
  list(prefix: string, options: ListOptions = {}): ListResult {
    const { revision = this.#revision, after, limit = Number.POSITIVE_INFINITY } = options;
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    if (revision < this.compacted) throw new CompactedError(this.compacted);
    const entries: Entry[] = [];
    for (const entry of this.#within(prefix, after, revision)) {
      if (entries.length >= limit) return { entries, revision, more: true };
      entries.push(entry);
    }
    return { entries, revision, more: false };
  }

  /** Throws CompactedError if history begins later than the watch. */
  watch(options: WatchOptions): StoreWatch {
    if (options.after < this.compacted) throw new CompactedError(this.compacted);
    return this.#watches.add(options, this.#history.after(options.after));
  }

  /** Ends all watches. */
  end(error: Error | undefined): void {
    this.#watches.end(error);
  }

  /** Releases history that is too old. */
  releaseOld(): void {
    this.#history.releaseOld();
  }

  /** Releases history up to and including `revision`. Throws FutureRevisionError. */
  releaseTo(revision: number): void {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    this.#history.releaseTo(revision);
  }

  /** The entries of the state at `revision`, which must be in history, in order. */
  *#within(prefix: string, after: string | undefined, revision: number): Generator<Entry, void, undefined> {
    const changed = new Map<string, Entry | undefined>();
    for (const event of this.#history.backTo(revision)) {
      const { key, previous } = event;
      if (key.startsWith(prefix) && (after === undefined || compareKeys(key, after) > 0)) changed.set(key, previous);
    }
    const older = [...changed.values()].filter((entry) => entry !== undefined);
    older.sort((one, other) => compareKeys(one.key, other.key));
    let next = 0;
    for (const entry of this.#entries.within(prefix, after)) {
      while (next < older.length && compareKeys(older[next]!.key, entry.key) < 0) yield older[next++]!;
      if (!changed.has(entry.key)) yield entry;
    }
    yield* older.slice(next);
  }
}

/** The error of a closed store. */
export const CLOSED = 'the store is closed';

/** Whether a write that expects `expected` may proceed if `current` is the current entry. */
export function holds(expected: 'absent' | 'any' | number, current: Entry | undefined): boolean {
  if (expected === 'any') return true;
  return expected === 'absent' ? current === undefined : current?.revision === expected;
}
