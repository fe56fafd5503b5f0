// Reads of what others have written to the same store a moment ago. Where one server writes alone nothing here waits.

import { errors } from '../api/errors.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { type Store, StoreTimeoutError } from '../store/store.ts';
import type { CachedObject, WatchCache } from '../watchcache/types.ts';

/** What kube-apiserver says when etcd has not answered in time. */
export function storeTimeout() {
  return errors.timeout('request did not complete within requested timeout - context deadline exceeded');
}

/**
 * Waits until caches show every write that anybody was acknowledged before; undefined, at once, where they always do.
 * Rejects with ApiError 504.
 */
export function caughtUp(store: Store): Soon<void> {
  return store.catchUp?.().catch((error: unknown) => {
    throw error instanceof StoreTimeoutError ? storeTimeout() : error;
  });
}

/** An object of a cache; one that is not in it is looked for again when the cache has caught up. */
export function findStored(
  { store, cache }: { store: Store; cache: WatchCache },
  key: string,
): Soon<CachedObject | undefined> {
  const found = cache.get(key);
  if (found !== undefined || store.catchUp === undefined) return found;
  return whenThere(caughtUp(store) ?? undefined, () => cache.get(key));
}
