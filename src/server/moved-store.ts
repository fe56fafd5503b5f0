// A data folder that has served another release of Kubernetes. What that one wrote is read as the release that is served
// now reads it: fields that it lacks are not shown, and its defaults apply. The bytes stay until the object is written,
// so that nothing is lost by going back.

import type { Catalog } from '../resources/catalog.ts';
import type { StrategyContext } from '../resources/definition.ts';
import type { Store } from '../store/store.ts';
import { TransformedStore } from '../store/transformed-store.ts';
import type { ValueTransformer } from '../store/value-transformer.ts';
import { StoredReader } from './stored-reader.ts';

interface MovedStoreOptions {
  readonly catalog: Catalog;
  readonly rules: () => StrategyContext;
  /** Whether another release may have written a revision. */
  readonly isForeign: (revision: number) => boolean;
}

/** The store as the release that is served reads it. */
export function movedStore(store: Store, { catalog, rules, isForeign }: MovedStoreOptions): Store {
  const reader = new StoredReader({ catalog, rules });
  const transformer: ValueTransformer = {
    transformToStorage: (plain) => plain,
    transformFromStorage(stored, { key, revision = 0 }) {
      if (!isForeign(revision)) return { plain: stored, stale: false };
      return { plain: reader.read(key, stored as Buffer), stale: true };
    },
  };
  return new TransformedStore(store, { of: (key) => (key.startsWith('/registry/') ? transformer : undefined) });
}
