// A store as its own thread uses it while other threads write to it too: nothing is late, but writes of others happen.

import type { Store } from '../store.ts';
import { sharedBytes } from './shared-bytes.ts';

/** The same store, known to have other writers. */
export function ownedStore(store: Store): Store {
  return {
    get: (key) => store.get(key),
    list: (prefix, options) => store.list(prefix, options),
    put: (key, value, expected) => store.put(key, value, expected),
    delete: (key, expected) => store.delete(key, expected),
    watch: (options) => store.watch(options),
    catchUp: async () => {},
    currentRevision: () => store.currentRevision(),
    compactedRevision: () => store.compactedRevision(),
    expiredRevision: () => store.expiredRevision(),
    compact: (revision) => store.compact(revision),
    fault: () => store.fault?.(),
    statistics: () => store.statistics(),
    placed: sharedBytes,
    close: () => store.close(),
  };
}
