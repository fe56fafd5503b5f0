// Reads of one resource past its watch cache, from the store itself: they show the latest writes while the store's events
// are late, as kube-apiserver's do, at the price of reading and decoding everything.

import type { ShortTurns } from '../base/short-turns.ts';
import { SortedMap } from '../base/sorted-map.ts';
import type { Entry, Store } from '../store/store.ts';
import { cachedObject } from './cached-object.ts';
import { type KeyLayout, StateSnapshot } from './snapshot.ts';
import type { CachedObject, Snapshot, WatchCache } from './types.ts';
import type { WatchCacheOptions } from './watch-cache.ts';

interface StoredReadsOptions extends KeyLayout, Pick<WatchCacheOptions, 'attributes'> {
  readonly store: Pick<Store, 'get' | 'list'>;
  /** Has most objects already. */
  readonly cache: Pick<WatchCache, 'get'>;
  readonly turns: Pick<ShortTurns, 'begin'>;
}

export class StoredReads {
  readonly #options: StoredReadsOptions;

  constructor(options: StoredReadsOptions) {
    this.#options = options;
  }

  /** The latest version of an object. @throws Error if it cannot be read */
  async get(key: string): Promise<CachedObject | undefined> {
    const entry = await this.#options.store.get(key);
    return entry && this.#objectOf(entry);
  }

  /** The latest state of the objects whose keys begin with `prefix`. @throws Error if one of them cannot be read */
  async snapshot(prefix: string): Promise<Snapshot> {
    const { store, turns } = this.#options;
    const { entries, revision } = await store.list(prefix);
    const turn = turns.begin({ taskName: `reading ${prefix} from the store` });
    const objects: CachedObject[] = [];
    for (const entry of entries) {
      objects.push(this.#objectOf(entry));
      await turn.over();
    }
    const keys = objects.map(({ key }) => key);
    return new StateSnapshot(revision, this.#options, SortedMap.fromSorted(keys, objects));
  }

  #objectOf({ key, revision, value, unreadable }: Entry): CachedObject {
    if (unreadable !== undefined) throw unreadable;
    const { cache, attributes } = this.#options;
    const previous = cache.get(key);
    if (previous?.revision === revision) return previous;
    return cachedObject({ key, revision, bytes: value, previous, neighbour: undefined }, attributes(key, value));
  }
}
