// The difference between a cached state and the store at the same revision. There is none as long as the cache has
// received every event of the store.

import { limits } from '../base/limits.ts';
import type { ShortTurns } from '../base/short-turns.ts';
import { compareKeys } from '../base/sorted-map.ts';
import type { Entry, Store } from '../store/store.ts';
import type { CachedObject, Selection, Snapshot, WatchCache } from './types.ts';

interface ComparedState {
  readonly store: Pick<Store, 'list'>;
  /** The prefix of the keys in the store. */
  readonly prefix: string;
  readonly snapshot: Snapshot;
  /** The revisions of entries that the cache could not read when the snapshot was taken, by key. */
  readonly unreadable: ReadonlyMap<string, number>;
  /** Other tasks run between turns. */
  readonly turns: Pick<ShortTurns, 'begin'> | undefined;
}

/** A key with different revisions. */
export interface Difference {
  readonly key: string;
  /** Undefined if the store has none. */
  readonly entry: Entry | undefined;
  /** Undefined if the cache has none. */
  readonly object: CachedObject | undefined;
}

const EVERYTHING: Selection = { namespace: undefined, name: undefined, matches: undefined };

/** The latest state of a cache, for comparison. */
export function comparedState(
  cache: Pick<WatchCache, 'snapshot' | 'unreadable'>,
  prefix: string,
): Pick<ComparedState, 'snapshot' | 'unreadable'> {
  const unreadable = cache.unreadable.within(prefix).map(({ key, revision }) => [key, revision] as const);
  return { snapshot: cache.snapshot(), unreadable: new Map(unreadable) };
}

/**
 * Compares the revisions of all keys, in their order. An entry that the cache knows to be unreadable does not differ.
 * Rejects like the store's list, for example with CompactedError.
 *
 * @param keysOnly whether the values of the entries are not needed
 */
export async function* differences(state: ComparedState, keysOnly: boolean): AsyncGenerator<Difference, void> {
  const { store, prefix, snapshot, unreadable, turns } = state;
  const turn = turns?.begin({ taskName: `comparing ${prefix} with the store` });
  const objects = snapshot.objects(EVERYTHING)[Symbol.iterator]();
  const next = (): CachedObject | undefined => objects.next().value;
  let object = next();
  let [after, more] = ['', true];
  while (more) {
    const options = { revision: snapshot.revision, after, limit: limits.pageObjects, keysOnly };
    const page = await store.list(prefix, options);
    for (const entry of page.entries) {
      const { key, revision } = entry;
      for (; object !== undefined && compareKeys(object.key, key) < 0; object = next()) {
        yield { key: object.key, entry: undefined, object };
        await turn?.over();
      }
      const cached = object?.key === key ? object : undefined;
      if (cached?.revision !== revision && unreadable.get(key) !== revision) yield { key, entry, object: cached };
      if (cached !== undefined) object = next();
      await turn?.over();
    }
    after = page.entries.at(-1)?.key ?? after;
    more = page.more;
  }
  for (; object !== undefined; object = next()) {
    yield { key: object.key, entry: undefined, object };
    await turn?.over();
  }
}
