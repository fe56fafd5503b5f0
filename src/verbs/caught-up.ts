// Consistent reads when several servers write to the same store. A server that is the only writer never waits here.

import { errors } from '../api/errors.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { type Store, StoreTimeoutError } from '../store/store.ts';
import type { CachedObject, WatchCache } from '../watchcache/types.ts';

/** kube-apiserver's message if etcd did not respond in time. */
export function storeTimeout() {
  return errors.timeout('request did not complete within requested timeout - context deadline exceeded');
}

/** Waits until caches show every write acknowledged before; undefined if they always do. Rejects with ApiError 504. */
export function caughtUp(store: Store): Soon<void> {
  return store.catchUp?.().catch((error: unknown) => {
    throw error instanceof StoreTimeoutError ? storeTimeout() : error;
  });
}

/** An object of a cache; if it is missing, it is looked up again once the cache has caught up. */
export function findStored(
  { store, cache }: { store: Store; cache: WatchCache },
  key: string,
): Soon<CachedObject | undefined> {
  const found = cache.get(key);
  if (found !== undefined || store.catchUp === undefined) return found;
  return whenThere(caughtUp(store) ?? undefined, () => cache.get(key));
}
