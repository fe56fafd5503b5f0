// The watch cache of one resource: follows the store, keeps the newest state and the recent history in memory, and
// passes each write on to the watchers. It knows keys, bytes and attributes; what the bytes say is not its business.

import type { Buffer } from 'node:buffer';
import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { ShortTurns } from '../base/short-turns.ts';
import { SortedMap } from '../base/sorted-map.ts';
import { CompactedError, type Entry, type Store, type StoreEvent, type StoreWatch } from '../store/store.ts';
import { cachedObject } from './cached-object.ts';
import { History, type HistoryLimits } from './history.ts';
import { FormBudget, KeptForms } from './kept-forms.ts';
import { RevisionWaiters } from './revision-waiters.ts';
import { type KeyLayout, type Objects, StateSnapshot } from './snapshot.ts';
import {
  type Attributes,
  type CachedObject,
  type CacheEvent,
  ExpiredError,
  type Snapshot,
  type WatchCache,
  type Watcher,
  type WatchRequest,
} from './types.ts';
import { UnreadableEntries } from './unreadable-entries.ts';
import { CacheWatcher, type WatchSource } from './watcher.ts';
import { WatcherIndex } from './watcher-index.ts';

/** How long a cache waits before it tries again to catch up with a store that has lost events. */
const RESYNC_PAUSE_MS = 1_000;
/** How long it waits before it tries again to read what it could not: at first, and at the most. */
const FIRST_REREAD_MS = 1_000;
const LONGEST_REREAD_MS = 30_000;

export interface WatchCacheOptions extends KeyLayout {
  readonly store: Store;
  readonly clock: Clock;
  /**
   * What selectors look at. Called once for each value, with the very Buffer that the store has. Throws for values
   * that can't be read.
   */
  readonly attributes: (key: string, bytes: Buffer) => Attributes;
  /** Is told that a turn of the event loop is spent on events. */
  readonly turns?: Pick<ShortTurns, 'enter'>;
  /** What forms of objects may take, shared with other caches; one of its own unless given. */
  readonly forms?: FormBudget;
  /** Instead of those in base/limits.ts. */
  readonly limits?: Partial<HistoryLimits>;
}

/**
 * A cache of all objects whose keys begin with `prefix`, complete up to the store's current revision. It starts with
 * the oldest state that the store still has and replays what came after, so that watches from before a restart go on.
 * Rejects with what the store rejects with.
 */
export async function createWatchCache(options: WatchCacheOptions): Promise<WatchCache> {
  const { store, prefix } = options;
  for (;;) {
    const revision = store.compactedRevision();
    try {
      const { entries } = await store.list(prefix, { revision });
      const cache = new StoreWatchCache(options, { revision, entries });
      await cache.follow();
      return cache;
    } catch (error) {
      const compactedMeanwhile = error instanceof CompactedError && store.compactedRevision() > revision;
      if (!compactedMeanwhile) throw error;
    }
  }
}

interface StoreState {
  readonly revision: number;
  readonly entries: readonly Entry[];
}

class StoreWatchCache implements WatchCache, WatchSource {
  readonly history: History;
  readonly unreadable = new UnreadableEntries();
  readonly forms: KeptForms;
  readonly #options: WatchCacheOptions;
  readonly #watchers: WatcherIndex<CacheWatcher>;
  readonly #waiters: RevisionWaiters;
  #objects: Objects;
  /** The same objects again, for those who ask by key: with 100,000 objects several times faster than the tree. */
  readonly #byKey = new Map<string, CachedObject>();
  /** The object that was read last. */
  #newest: CachedObject | undefined;
  #bytes = 0;
  #received = 0;
  #revision: number;
  /** The sequence number, in the history, of the first event that has not been offered to all live watchers. */
  #offered = 0;
  /** The event that is being offered. */
  #offering: CacheEvent | undefined;
  #isClosed = false;
  /** Whether the store tells of every event. */
  #isFollowing = true;
  #storeWatch: StoreWatch | undefined;
  #trimTimer: Timer | undefined;
  #rereadTimer: Timer | undefined;
  #rereadMs = FIRST_REREAD_MS;

  constructor(options: WatchCacheOptions, { revision, entries }: StoreState) {
    this.#options = options;
    this.#revision = revision;
    const objects = entries.flatMap((entry) => {
      return this.unreadable.try(entry, () => this.#objectOf(entry, undefined)) ?? [];
    });
    this.#objects = SortedMap.fromSorted(
      objects.map((object) => object.key),
      objects,
    );
    for (const object of objects) {
      this.#byKey.set(object.key, object);
      this.#bytes += object.bytes.length;
    }
    this.history = new History(revision, { ...limits, ...options.limits }, options.clock);
    this.#watchers = new WatcherIndex(options);
    this.#waiters = new RevisionWaiters(options.clock, () => this.revision);
    const isCurrent = (object: object) => this.#byKey.get((object as CachedObject).key) === object;
    this.forms = new KeptForms(options.forms ?? new FormBudget(options.clock), isCurrent);
    this.#rereadLater();
  }

  async follow(): Promise<void> {
    this.#isFollowing = true;
    this.#storeWatch = await this.#options.store.watch({
      prefix: this.#options.prefix,
      after: this.#revision,
      onEvent: (event) => this.#apply(event),
      onEnd: (error) => (error instanceof CompactedError ? this.#resync() : this.close()),
    });
  }

  /**
   * Goes on where the store's feed has lost events: what became of the objects meanwhile is taken from a list, as if it
   * had happened in the order of its revisions; what came and went is never known.
   */
  async #resync(): Promise<void> {
    const { store, prefix, clock } = this.#options;
    this.#isFollowing = false;
    try {
      const { entries, revision } = await store.list(prefix);
      const gone = new Set(this.#byKey.keys());
      for (const { key } of entries) gone.delete(key);
      const changed = entries.filter((entry) => this.#byKey.get(entry.key)?.revision !== entry.revision);
      for (const entry of changed.sort((one, other) => one.revision - other.revision)) {
        this.#apply({ ...entry, previous: undefined });
      }
      for (const key of gone) this.#apply({ key, revision, value: undefined, previous: undefined });
      this.#revision = revision;
      await this.follow();
    } catch {
      if (!this.#isClosed) clock.after(RESYNC_PAUSE_MS, () => void this.#resync());
    }
  }

  /**
   * The store's count also rises by writes to other resources, which don't come here. Its contract says that the
   * events of a write are delivered before the write is acknowledged, so nothing up to the newest acknowledged
   * revision is missing. A driver that delivers later must learn by other means how far its feed is complete, and
   * this is the one place to ask it.
   */
  get revision(): number {
    if (!this.#isClosed && this.#isFollowing)
      this.#revision = Math.max(this.#revision, this.#options.store.currentRevision());
    return this.#revision;
  }

  get offeredRevision(): number {
    return this.#offering ? this.#offering.revision - 1 : this.revision;
  }

  get taskName(): string {
    return `events of ${this.#options.prefix}`;
  }

  get state(): object {
    return this.#objects;
  }

  get(key: string): CachedObject | undefined {
    return this.#byKey.get(key);
  }

  snapshot(): Snapshot {
    return new StateSnapshot(this.revision, this.#options, this.#objects);
  }

  snapshotAt(revision: number): Snapshot | undefined {
    if (revision > this.revision) throw new RangeError(`revision ${revision} is yet to come`);
    this.#trim();
    if (revision < this.#options.store.expiredRevision()) return undefined;
    const objects = this.history.objectsAt(revision, this.#objects);
    return objects && new StateSnapshot(revision, this.#options, objects);
  }

  waitFor(revision: number, waitMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.#waiters.wait(revision, this.#isClosed ? 0 : waitMs, signal);
  }

  watch({ selection, from, sink }: WatchRequest): Watcher {
    this.#trim();
    const { oldestRevision } = this.history;
    if (from !== 'state' && from < oldestRevision) {
      throw new ExpiredError(`revision ${from} is too old: history starts after ${oldestRevision}`);
    }
    const start = from === 'state' ? this.snapshot() : undefined;
    const watcher = new CacheWatcher(this, {
      selection,
      sink,
      revision: start?.revision ?? (from as number),
      objects: start?.objects(selection)[Symbol.iterator](),
    });
    if (this.#isClosed) {
      watcher.end('closed');
    } else {
      this.#watchers.add(watcher);
      watcher.resume();
    }
    return watcher;
  }

  forget(watcher: CacheWatcher): void {
    this.#watchers.remove(watcher);
  }

  get totals() {
    return { objects: this.#byKey.size, bytes: this.#bytes };
  }

  statistics() {
    let watchers = 0;
    let lagging = 0;
    for (const watcher of this.#watchers) {
      watchers += 1;
      if (watcher.isLagging) lagging += 1;
    }
    const historyEvents = this.history.length;
    const receivedEvents = this.#received;
    return { objects: this.#objects.size, bytes: this.#bytes, historyEvents, receivedEvents, watchers, lagging };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#storeWatch?.close();
    this.#trimTimer?.cancel();
    this.#rereadTimer?.cancel();
    this.#waiters.close();
    this.forms.clear();
    for (const watcher of [...this.#watchers]) watcher.end('closed');
  }

  #apply(event: StoreEvent): void {
    this.#options.turns?.enter(this);
    this.#received++;
    const { key, revision } = event;
    const previous = this.#byKey.get(key);
    const read = this.unreadable.try(event, () => {
      const { value } = event;
      return { current: value && this.#objectOf({ key, revision, value }, previous) };
    });
    const current = read?.current;
    if (read === undefined) this.#rereadLater();
    if (read === undefined || (current === undefined && previous === undefined)) {
      // Watchers have nothing to be shown: what was readable before stays what it was.
      this.#revision = Math.max(this.#revision, revision);
      this.#waiters.look();
      return;
    }
    if (current === undefined) {
      this.#byKey.delete(key);
      this.#objects = this.#objects.delete(key);
    } else {
      this.#byKey.set(current.key, current);
      this.#objects = this.#objects.set(current.key, current);
    }
    if (previous !== undefined) this.forms.drop(previous);
    this.#bytes += (current?.bytes.length ?? 0) - (previous?.bytes.length ?? 0);
    this.#revision = Math.max(this.#revision, revision);
    this.history.append({ revision, current, previous, frames: undefined });
    this.#offer();
    this.#trim();
    this.#waiters.look();
  }

  /**
   * Offers all new events to the live watchers. A sink that makes a write gets here again before the others have had
   * the first event; the outer call then goes on with the second, so that all see the same order.
   */
  #offer(): void {
    if (this.#offering !== undefined) return;
    for (; this.#offered < this.history.end; this.#offered++) {
      const sequence = this.#offered;
      const event = this.history.event(sequence)!;
      this.#offering = event;
      this.#watchers.visit((event.current ?? event.previous)!, (watcher) => watcher.offer(event, sequence));
    }
    this.#offering = undefined;
  }

  /** A key may come back, or a plugin that has it: entries that can't be read are tried again. */
  #rereadLater(): void {
    if (this.unreadable.size === 0 || this.#rereadTimer !== undefined || this.#isClosed) return;
    this.#rereadTimer = this.#options.clock.after(this.#rereadMs, () => {
      this.#rereadMs = Math.min(2 * this.#rereadMs, LONGEST_REREAD_MS);
      void this.#reread().finally(() => {
        this.#rereadTimer = undefined;
        if (this.unreadable.size === 0) this.#rereadMs = FIRST_REREAD_MS;
        this.#rereadLater();
      });
    });
  }

  /** Reads until one fails again: most often all have the same reason. */
  async #reread(): Promise<void> {
    const readable: Entry[] = [];
    for (const { key, revision } of this.unreadable.within('')) {
      const entry = await this.#options.store.get(key).catch(() => undefined);
      if (entry === undefined || entry.unreadable !== undefined) break;
      if (entry.revision === revision) readable.push(entry);
    }
    if (!this.#isClosed && readable.length > 0) this.#recover(readable);
  }

  /** Takes up what was there all along. Watchers can't be told of it by events: they begin anew. */
  #recover(entries: readonly Entry[]): void {
    let recovered = 0;
    for (const entry of entries) {
      // What has been written meanwhile has been seen.
      if (this.unreadable.get(entry.key)?.revision !== entry.revision) continue;
      const previous = this.#byKey.get(entry.key);
      const object = this.unreadable.try(entry, () => this.#objectOf(entry, previous));
      if (object === undefined) continue;
      this.#byKey.set(object.key, object);
      this.#objects = this.#objects.set(object.key, object);
      this.#bytes += object.bytes.length - (previous?.bytes.length ?? 0);
      recovered += 1;
    }
    if (recovered === 0) return;
    this.history.restart(this.revision);
    this.#offered = this.history.end;
    for (const watcher of [...this.#watchers]) watcher.end('expired');
  }

  /** Lets go of old history: now, and again when the oldest event kept expires. */
  #trim(): void {
    const { store, clock } = this.#options;
    this.history.trim(store.compactedRevision(), this.#offered);
    const { expiresAtMs } = this.history;
    if (expiresAtMs === undefined || this.#trimTimer !== undefined || this.#isClosed) return;
    this.#trimTimer = clock.after(expiresAtMs - clock.now(), () => {
      this.#trimTimer = undefined;
      this.#trim();
    });
  }

  #objectOf({ key, revision, value }: Entry, previous: CachedObject | undefined): CachedObject {
    const attributes = this.#options.attributes(key, value);
    const object = cachedObject({ key, revision, bytes: value, previous, neighbour: this.#newest }, attributes);
    this.#newest = object;
    return object;
  }
}
