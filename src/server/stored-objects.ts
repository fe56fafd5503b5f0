// How admission plugins look at what is stored: through the watch caches, each revision of an object decoded once.

import type { Buffer } from 'node:buffer';
import type { ObjectLookup } from '../admission/object-lookup.ts';
import type { ApiObject } from '../api/object.ts';
import type { Catalog } from '../resources/catalog.ts';
import { type Registry, storageKey } from '../verbs/registry.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';

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
  return {
    async find({ group, resource }, namespace, name) {
      const definition = catalog.find(group, resource);
      if (definition === undefined) return undefined;
      const stored = (await registry.storage(definition)).cache.get(storageKey(definition, namespace, name));
      return stored === undefined ? undefined : read(stored);
    },
    async all({ group, resource }, namespace) {
      const definition = catalog.find(group, resource);
      if (definition === undefined) return [];
      const snapshot = (await registry.storage(definition)).cache.snapshot();
      const scope = { namespace, name: undefined, matches: undefined };
      // Often there are none, and counting costs less than going through them.
      return snapshot.count(scope) === 0 ? [] : Array.from(snapshot.objects(scope), read);
    },
  };
}
