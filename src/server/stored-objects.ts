// How admission plugins look at what is stored: through the watch caches, each revision of an object decoded once.

import type { Buffer } from 'node:buffer';
import type { ObjectLookup, ResourceName } from '../admission/object-lookup.ts';
import type { ApiObject } from '../api/object.ts';
import { NONE } from '../base/findings.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { type Registry, storageKey } from '../verbs/registry.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { WatchCache } from '../watchcache/types.ts';

const EVERYTHING = Object.freeze({ namespace: undefined, name: undefined, matches: undefined });

type Look<T> = (cache: WatchCache, definition: ResourceDefinition) => T;

export function storedObjects(catalog: Catalog, registry: Registry): ObjectLookup {
  /** Lives as long as the bytes do, which the cache holds. */
  const decoded = new WeakMap<Buffer, ApiObject>();
  const read = (stored: StoredObject): ApiObject => {
    let object = decoded.get(stored.bytes);
    if (object === undefined) {
      object = decodeStored(stored);
      decoded.set(stored.bytes, object);
    }
    return object;
  };
  const looked = <T>({ group, resource }: ResourceName, look: Look<T>, nothing: T): Soon<T> => {
    const definition = catalog.find(group, resource);
    if (definition === undefined) return nothing;
    return whenThere(registry.storage(definition), ({ cache }) => look(cache, definition));
  };
  return {
    find(kind, namespace, name) {
      const look: Look<ApiObject | undefined> = (cache, definition) => {
        const stored = cache.get(storageKey(definition, namespace, name));
        return stored === undefined ? undefined : read(stored);
      };
      return looked(kind, look, undefined);
    },
    all(kind, namespace) {
      const look: Look<readonly ApiObject[]> = (cache) => {
        const snapshot = cache.snapshot();
        // Often there are none, and counting costs less than going through them.
        if (snapshot.count(EVERYTHING) === 0) return NONE;
        return Array.from(snapshot.objects({ namespace, name: undefined, matches: undefined }), read);
      };
      return looked(kind, look, NONE);
    },
  };
}
