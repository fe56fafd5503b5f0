// Object lookup for admission plugins through the watch caches; each revision of an object is decoded once.

import type { Buffer } from 'node:buffer';
import type { ObjectLookup, ResourceName } from '../admission/object-lookup.ts';
import type { ApiObject } from '../api/object.ts';
import { NONE } from '../base/findings.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { carriedOut, mappingEach } from '../base/steps.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { findStored } from '../verbs/caught-up.ts';
import { type Registry, storageKey } from '../verbs/registry.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { WatchCache } from '../watchcache/types.ts';

/** The latest result of one cache, by namespace, undefined for all, as long as the state is the same. */
interface Found {
  readonly state: object;
  readonly objects: Map<string | undefined, Soon<readonly ApiObject[]>>;
}

type Look<T> = (cache: WatchCache, definition: ResourceDefinition) => T;

export function storedObjects(catalog: Catalog, registry: Registry): ObjectLookup {
  /** Lives as long as the bytes, which the cache holds. */
  const decoded = new WeakMap<Buffer, ApiObject>();
  const read = (stored: StoredObject): ApiObject => {
    let object = decoded.get(stored.bytes);
    if (object === undefined) {
      object = decodeStored(stored);
      decoded.set(stored.bytes, object);
    }
    return object;
  };
  const found = new WeakMap<WatchCache, Found>();
  const foundIn = (cache: WatchCache): Found['objects'] => {
    const { state } = cache;
    const known = found.get(cache);
    if (known?.state === state) return known.objects;
    const objects: Found['objects'] = new Map();
    found.set(cache, { state, objects });
    return objects;
  };
  const looked = <T>({ group, resource }: ResourceName, look: Look<Soon<T>>, nothing: T): Soon<T> => {
    const definition = catalog.find(group, resource);
    if (definition === undefined) return nothing;
    return whenThere(registry.storage(definition), ({ cache }) => look(cache, definition));
  };
  return {
    find(kind, namespace, name) {
      const definition = catalog.find(kind.group, kind.resource);
      if (definition === undefined) return undefined;
      const key = storageKey(definition, namespace, name);
      return whenThere(
        whenThere(registry.storage(definition), (storage) => findStored(storage, key)),
        (stored) => (stored === undefined ? undefined : read(stored)),
      );
    },
    all(kind, namespace) {
      const look: Look<Soon<readonly ApiObject[]>> = (cache, { resource }) => {
        const known = foundIn(cache);
        const there = known.get(namespace);
        if (there !== undefined) return there;
        const selection = { namespace, name: undefined, matches: undefined };
        const turn = registry.turns.begin({ taskName: `objects of ${resource}` });
        const reading = carriedOut(mappingEach(cache.snapshot().objects(selection), read), turn);
        const objects = whenThere(reading, (all) => {
          known.set(namespace, all);
          return all;
        });
        known.set(namespace, objects);
        return objects;
      };
      return looked(kind, look, NONE);
    },
  };
}
