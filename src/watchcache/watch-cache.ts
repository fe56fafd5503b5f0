// The watch cache of one resource: follows the store, keeps the latest state and the recent history in memory, and
// passes each write on to the watchers. Handles keys, bytes and attributes, independently of the content of objects.

import type { Buffer } from 'node:buffer';
import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { ShortTurns } from '../base/short-turns.ts';
import { SortedMap } from '../base/sorted-map.ts';
import { CompactedError, type Entry, type Store, type StoreEvent, type StoreWatch } from '../store/store.ts';
import { cachedObject } from './cached-object.ts';
import { comparedState, type Difference, differences } from './differences.ts';
import { History, type HistoryLimits } from './history.ts';
import { FormBudget, KeptForms } from './kept-forms.ts';
import { Rereads, readAllAgain, readableAgain } from './reread.ts';
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

/** Delay before the cache retries to catch up with a store that has lost events. */
const RESYNC_PAUSE_MS = 1_000;

export interface WatchCacheOptions extends KeyLayout {
  readonly store: Store;
  readonly clock: Clock;
  /**
   * Extracts what selectors evaluate. Called once for each value, with the store's own Buffer. Throws for unreadable
   * values.
   */
  readonly attributes: (key: string, bytes: Buffer) => Attributes;
  /** Other tasks run between turns. */
  readonly turns?: Pick<ShortTurns, 'begin' | 'enter' | 'later'>;
  /** The memory of forms, shared with other caches; a separate one by default. */
  readonly forms?: FormBudget;
  /** Overrides those in base/limits.ts. */
  readonly limits?: Partial<HistoryLimits>;
}

/**
 * A cache of all objects with the key prefix `prefix`, complete up to the store's current revision. It starts with the
 * oldest available state and replays what followed, so that watches from before a restart can resume. Rejects like the
 * store.
 */
export async function createWatchCache(options: WatchCacheOptions): Promise<WatchCache> {
  const { store, prefix } = options;
  for (;;) {
    const revision = store.compactedRevision();
    try {
      const { entries } = await store.list(prefix, { revision });
      const cache = new StoreWatchCache(options, revision);
      await cache.fill(entries);
      await cache.follow();
      return cache;
    } catch (error) {
      const compactedMeanwhile = error instanceof CompactedError && store.compactedRevision() > revision;
      if (!compactedMeanwhile) throw error;
    }
  }
}

class StoreWatchCache implements WatchCache, WatchSource {
  readonly history: History;
  readonly unreadable = new UnreadableEntries();
  readonly forms: KeptForms;
  readonly #options: WatchCacheOptions;
  readonly #watchers: WatcherIndex<CacheWatcher>;
  readonly #waiters: RevisionWaiters;
  #objects: Objects = SortedMap.fromSorted([], []);
  /** The same objects by key: with 100,000 objects, lookups are several times faster than in the tree. */
  readonly #byKey = new Map<string, CachedObject>();
  /** The last decoded object. */
  #newest: CachedObject | undefined;
  #bytes = 0;
  #received = 0;
  #revision: number;
  /** The sequence number, in the history, of the first event that has not been offered to all live watchers. */
  #offered = 0;
  /** The event being offered. */
  #offering: CacheEvent | undefined;
  #isClosed = false;
  /** Whether every event is applied when it happens. */
  #isFollowing = false;
  #storeWatch: StoreWatch | undefined;
  #trimTimer: Timer | undefined;
  readonly #rereads: Rereads;

  /** @param revision that of the state with which it will be filled */
  constructor(options: WatchCacheOptions, revision: number) {
    this.#options = options;
    this.#revision = revision;
    this.history = new History(
      revision,
      options.limits === undefined ? limits : { ...limits, ...options.limits },
      options.clock,
    );
    this.#watchers = new WatcherIndex(options);
    this.#waiters = new RevisionWaiters(options.clock, () => this.revision);
    const isCurrent = (object: object) => this.#byKey.get((object as CachedObject).key) === object;
    this.forms = new KeptForms(options.forms ?? new FormBudget(options.clock), isCurrent);
    this.#rereads = new Rereads({ clock: options.clock, unreadable: this.unreadable, reread: () => this.#reread() });
  }

  /** Reads the objects of the initial state, in turns. Call it once, before `follow`. */
  async fill(entries: readonly Entry[]): Promise<void> {
    const turn = this.#options.turns?.begin(this);
    const objects: CachedObject[] = [];
    for (const entry of entries) {
      const object = this.unreadable.try(entry, () => this.#objectOf(entry, undefined));
      if (object !== undefined) {
        objects.push(object);
        this.#byKey.set(object.key, object);
        this.#bytes += object.bytes.length;
      }
      await turn?.over();
    }
    this.#objects = SortedMap.fromSorted(
      objects.map((object) => object.key),
      objects,
    );
    this.#rereads.later();
  }

  /** Applies the events since the current revision, in turns, and from then on each event when it happens. */
  async follow(): Promise<void> {
    const { store, prefix, turns } = this.#options;
    const missed: StoreEvent[] = [];
    let hasEnded = false;
    this.#storeWatch = await store.watch({
      prefix,
      after: this.#revision,
      onEvent: (event) => {
        if (this.#isFollowing) this.#apply(event);
        else missed.push(event);
      },
      onEnd: (error) => {
        hasEnded = true;
        if (error instanceof CompactedError) void this.#resync();
        else this.close();
      },
    });
    const turn = turns?.begin(this);
    // Further events may be added meanwhile.
    for (const event of missed) {
      if (hasEnded) return;
      this.#apply(event);
      await turn?.over();
    }
    if (!hasEnded) this.#isFollowing = true;
  }

  /**
   * Resumes where the store's feed has lost events: changes are derived from a list, as if they had happened in the
   * order of its revisions; what was both added and removed in between remains unknown.
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
   * The store's revision is also advanced by writes to other resources, which this cache does not see. By the contract,
   * the events of a write are delivered before the write is acknowledged, so nothing up to the latest acknowledged
   * revision is missing. A driver that delivers later must determine the progress of its feed by other means, and this
   * is the only place that asks it.
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
      objects: start?.objects({ ...selection, matches: undefined })[Symbol.iterator](),
    });
    if (this.#isClosed) {
      watcher.end('closed');
    } else {
      this.#watchers.add(watcher);
      watcher.resume();
    }
    return watcher;
  }

  later(run: () => void): void {
    const { turns } = this.#options;
    if (turns === undefined) setImmediate(run);
    else turns.later(this, run);
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
    this.#rereads.stop();
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
    if (read === undefined) this.#rereads.later();
    if (read === undefined || (current === undefined && previous === undefined)) {
      // Watchers receive nothing: the last readable version remains.
      this.#revision = Math.max(this.#revision, revision);
      this.#waiters.look();
      return;
    }
    this.#replace(previous, current);
    this.#revision = Math.max(this.#revision, revision);
    this.history.append({ revision, current, previous, frames: undefined });
    this.#offer();
    this.#trim();
    this.#waiters.look();
  }

  /**
   * Offers all new events to the live watchers. A sink that writes reenters this method before the others have received
   * the first event; the outer call then continues with the second, so that all see the same order.
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

  async #reread(): Promise<void> {
    this.#recover(await readableAgain(this.#options.store, this.unreadable));
  }

  async readAgain(): Promise<void> {
    const { store, prefix } = this.#options;
    const isLatest = ({ key, revision }: Entry) => (this.unreadable.get(key) ?? this.get(key))?.revision === revision;
    this.#recover(await readAllAgain({ store, prefix, unreadable: this.unreadable, isLatest }));
    this.#rereads.later();
  }

  /** Adds existing objects. */
  #recover(entries: readonly Entry[]): void {
    let recovered = 0;
    for (const entry of this.#isClosed ? [] : entries) {
      // Writes since then have been processed.
      if (this.unreadable.get(entry.key)?.revision !== entry.revision) continue;
      const previous = this.#byKey.get(entry.key);
      const object = this.unreadable.try(entry, () => this.#objectOf(entry, previous));
      if (object === undefined) continue;
      this.#replace(previous, object);
      recovered += 1;
    }
    if (recovered > 0) this.#restartWatchers();
  }

  async readAnew(): Promise<void> {
    const { store, prefix, turns } = this.#options;
    const state = comparedState(this, prefix);
    let differs = false;
    try {
      for await (const found of differences({ ...state, store, prefix, turns }, false)) {
        if (this.#isClosed) return;
        differs = true;
        this.#correct(found, state.snapshot.revision);
      }
    } finally {
      if (differs) this.#restartWatchers();
    }
    this.#rereads.later();
  }

  /** Takes over the store's entry of an older revision, unless writes to its key have been processed since then. */
  #correct({ key, entry }: Difference, revision: number): void {
    if (this.history.mayHaveWritten(key, revision) || (this.unreadable.get(key)?.revision ?? 0) > revision) return;
    const previous = this.#byKey.get(key);
    if (entry === undefined) this.unreadable.delete(key);
    const object = entry && this.unreadable.try(entry, () => this.#objectOf(entry, previous));
    if (object !== undefined || entry === undefined) this.#replace(previous, object);
  }

  /** Puts one version of an object in the place of another. */
  #replace(previous: CachedObject | undefined, current: CachedObject | undefined): void {
    if (current !== undefined) {
      this.#byKey.set(current.key, current);
      this.#objects = this.#objects.set(current.key, current);
    } else if (previous !== undefined) {
      this.#byKey.delete(previous.key);
      this.#objects = this.#objects.delete(previous.key);
    }
    if (previous !== undefined) this.forms.drop(previous);
    this.#bytes += (current?.bytes.length ?? 0) - (previous?.bytes.length ?? 0);
  }

  /** Objects have changed without events: watchers cannot go on. */
  #restartWatchers(): void {
    this.history.restart(this.revision);
    this.#offered = this.history.end;
    for (const watcher of [...this.#watchers]) watcher.end('expired');
  }

  /** Drops old history: now, and again when the oldest event expires. */
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
