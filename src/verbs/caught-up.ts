// Consistent reads when several servers write to the same store. A server that is the only writer never waits here.

import { errors } from '../api/errors.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { type Store, StoreLagError, StoreTimeoutError } from '../store/store.ts';
import type { StoredReads } from '../watchcache/stored-reads.ts';
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

/**
 * Waits like `caughtUp`; true at once if caches are always up to date. False if the store responds and only its events are
 * late: then the read is to be served by the store, as in kube-apiserver. Rejects with ApiError 504.
 */
export function isCaughtUp(store: Store): Soon<boolean> {
  if (store.catchUp === undefined) return true;
  return store.catchUp().then(
    () => true,
    (error: unknown) => {
      if (error instanceof StoreLagError) return false;
      throw error instanceof StoreTimeoutError ? storeTimeout() : error;
    },
  );
}

interface Storage {
  readonly store: Store;
  readonly cache: Pick<WatchCache, 'get'>;
  readonly stored: Pick<StoredReads, 'get'>;
}

/** The latest version of an object. */
export function newestStored({ store, cache, stored }: Storage, key: string): Soon<CachedObject | undefined> {
  return whenThere(isCaughtUp(store), (isCurrent) => (isCurrent ? cache.get(key) : stored.get(key)));
}

/** An object of a cache; if it is missing, it is looked up again once the cache has caught up. */
export function findStored(storage: Storage, key: string): Soon<CachedObject | undefined> {
  const found = storage.cache.get(key);
  if (found !== undefined || storage.store.catchUp === undefined) return found;
  return newestStored(storage, key);
}
