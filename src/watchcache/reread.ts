// Reading entries of the store again: those that could not be read, and all of them when the way of reading has changed.

import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Entry, Store } from '../store/store.ts';
import type { UnreadableEntries } from './unreadable-entries.ts';

/** Recorded entries that have become readable. Ends at one that is not, because usually all have the same cause. */
export async function readableAgain(store: Store, unreadable: UnreadableEntries): Promise<Entry[]> {
  const readable: Entry[] = [];
  for (const { key, revision } of unreadable.within('')) {
    const entry = await store.get(key).catch(() => undefined);
    if (entry === undefined || entry.unreadable !== undefined) break;
    if (entry.revision === revision) readable.push(entry);
  }
  return readable;
}

interface AllEntries {
  readonly store: Store;
  readonly prefix: string;
  readonly unreadable: UnreadableEntries;
  /** Whether an entry is the latest that the cache knows. */
  readonly isLatest: (entry: Entry) => boolean;
}

/** Reads all entries, and records those that can no longer be read. @returns those that have become readable */
export async function readAllAgain({ store, prefix, unreadable, isLatest }: AllEntries): Promise<Entry[]> {
  const readable: Entry[] = [];
  let after = '';
  for (;;) {
    const { entries, more } = await store.list(prefix, { after, limit: limits.followedObjects });
    for (const entry of entries.filter(isLatest)) {
      if (entry.unreadable !== undefined) unreadable.try(entry, () => undefined);
      else if (unreadable.get(entry.key) !== undefined) readable.push(entry);
    }
    const last = entries.at(-1);
    if (!more || last === undefined) return readable;
    after = last.key;
  }
}

/** Delay before unreadable values are retried: initially, and at most. */
const FIRST_REREAD_MS = 1_000;
const LONGEST_REREAD_MS = 30_000;

interface RereadsOptions {
  readonly clock: Clock;
  readonly unreadable: Pick<UnreadableEntries, 'size'>;
  readonly reread: () => Promise<void>;
}

/** Retries of unreadable entries: a key may be restored, or a plugin be available again. */
export class Rereads {
  readonly #options: RereadsOptions;
  #timer: Timer | undefined;
  #delayMs = FIRST_REREAD_MS;
  #isStopped = false;

  constructor(options: RereadsOptions) {
    this.#options = options;
  }

  /** Retries from time to time as long as there are unreadable entries. */
  later(): void {
    const { clock, unreadable, reread } = this.#options;
    if (unreadable.size === 0 || this.#timer !== undefined || this.#isStopped) return;
    this.#timer = clock.after(this.#delayMs, () => {
      this.#delayMs = Math.min(2 * this.#delayMs, LONGEST_REREAD_MS);
      void reread().finally(() => {
        this.#timer = undefined;
        if (unreadable.size === 0) this.#delayMs = FIRST_REREAD_MS;
        this.later();
      });
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }
}
