// A store that lives as long as its process: for tests and temporary servers. Nothing is written to disk.

import type { Clock, Timer } from '../base/clock.ts';
import type { HistoryOptions } from './history.ts';
import {
  type Entry,
  type Expected,
  FIRST_REVISION,
  type ListOptions,
  type ListResult,
  type Store,
  StoreError,
  type StoreStatistics,
  type StoreWatch,
  type WatchOptions,
  type WriteResult,
} from './store.ts';
import { CLOSED, holds, Timeline } from './timeline.ts';

/** The immutable content of a store at one moment. */
export interface MemorySnapshot {
  readonly entries: readonly Entry[];
  readonly revision: number;
}

interface MemoryStoreOptions extends HistoryOptions {
  /** The initial content. */
  readonly from?: MemorySnapshot;
}

export class MemoryStore implements Store {
  readonly #clock: Clock;
  readonly #timeline: Timeline;
  #timer: Timer;
  #closed = false;

  constructor(options: MemoryStoreOptions) {
    this.#clock = options.clock;
    const { from } = options;
    this.#timeline = new Timeline({ ...options, compacted: from?.revision ?? FIRST_REVISION });
    for (const entry of from?.entries ?? []) this.#timeline.restore({ ...entry, timeMs: 0 });
    this.#timer = this.#releaseLater();
  }

  /** The current content. Entries are shared, not copied. */
  snapshot(): MemorySnapshot {
    return { entries: this.#timeline.entries(), revision: this.#timeline.revision };
  }

  async get(key: string): Promise<Entry | undefined> {
    this.#assertOpen();
    return this.#timeline.get(key);
  }

  async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    this.#assertOpen();
    return this.#timeline.list(prefix, options);
  }

  async put(key: string, value: Buffer, expected: Expected): Promise<WriteResult> {
    return this.#write(key, value, expected);
  }

  async delete(key: string, expected: Exclude<Expected, 'absent'>): Promise<WriteResult> {
    return this.#write(key, undefined, expected);
  }

  async watch(options: WatchOptions): Promise<StoreWatch> {
    this.#assertOpen();
    return this.#timeline.watch(options);
  }

  currentRevision(): number {
    return this.#timeline.revision;
  }

  compactedRevision(): number {
    return this.#timeline.compacted;
  }

  expiredRevision(): number {
    return this.#timeline.expired;
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen();
    this.#timeline.releaseTo(revision);
  }

  fault(): string | undefined {
    return this.#closed ? CLOSED : undefined;
  }

  statistics(): StoreStatistics {
    return { ...this.#timeline.statistics(), queuedWrites: 0 };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer.cancel();
    // Earlier writes come first.
    await undefined;
    this.#timeline.end(undefined);
  }

  async #write(key: string, value: Buffer | undefined, expected: Expected): Promise<WriteResult> {
    this.#assertOpen();
    // A turn of its own, so that a watch that writes when it receives an event does not nest events.
    await undefined;
    const current = this.#timeline.get(key);
    if (!holds(expected, current) || (value === undefined && current === undefined)) return { written: false, current };
    const revision = this.#timeline.revision + 1;
    const { previous } = this.#timeline.apply({ key, value, revision, timeMs: this.#clock.now() });
    return { written: true, revision, previous };
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreError(CLOSED);
  }

  #releaseLater(): Timer {
    return this.#clock.after(this.#timeline.releaseEveryMs, () => {
      this.#timeline.releaseOld();
      this.#timer = this.#releaseLater();
    });
  }
}
