// Keeps derived state in sync with stored objects: processes the existing ones, then every write before it is
// acknowledged.

import type { ApiObject } from '../api/object.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';

/** Callbacks for the objects of one kind. */
interface ObjectFollower {
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  set(object: ApiObject): void;
  /** `namespace` is '' for cluster-scoped objects. */
  delete(namespace: string, name: string): void;
}

const EVERYTHING = { namespace: undefined, name: undefined, matches: undefined };

/** Resolves when all existing objects have been processed; changes follow until the caches close. */
export async function followObjects(catalog: Catalog, registry: Registry, follower: ObjectFollower): Promise<void> {
  const definition = catalog.find(follower.group, follower.resource);
  if (definition === undefined) return;
  const { cache } = await registry.storage(definition);
  const set = (object: StoredObject) => follower.set(registry.decoded.peek(object.bytes) ?? decodeStored(object));
  cache.watch({
    selection: EVERYTHING,
    from: 'state',
    sink: {
      initial: (object) => {
        set(object);
        return true;
      },
      initialEnd: () => true,
      event: (type, object) => {
        if (type === 'DELETED') follower.delete(object.namespace ?? '', object.name);
        else set(object);
        return true;
      },
      end: () => {},
    },
  });
}
