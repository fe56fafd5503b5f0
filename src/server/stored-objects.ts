// How admission plugins look at what is stored: through the watch caches, each revision of an object decoded once.

import type { Buffer } from 'node:buffer';
import type { ObjectLookup } from '../admission/object-lookup.ts';
import type { ApiObject } from '../api/object.ts';
import type { Catalog } from '../resources/catalog.ts';
import { type Registry, storageKey } from '../verbs/registry.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';

const EVERYTHING = { namespace: undefined, name: undefined, matches: undefined };

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
      const { cache } = await registry.storage(definition);
      return [...cache.snapshot().objects({ ...EVERYTHING, namespace })].map(read);
    },
  };
}
