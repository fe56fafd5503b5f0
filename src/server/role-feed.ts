// Keeps the index of roles and bindings in step with what is stored: what is there at the start, then every write as it
// is made, so that a right counts from the moment its writer is answered.

import { type RbacKind, RoleIndex } from '../auth/authz/role-index.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { WatchCache } from '../watchcache/types.ts';

const KINDS: readonly (readonly [resource: string, kind: RbacKind])[] = [
  ['clusterroles', 'ClusterRole'],
  ['clusterrolebindings', 'ClusterRoleBinding'],
  ['roles', 'Role'],
  ['rolebindings', 'RoleBinding'],
];

const EVERYTHING = { namespace: undefined, name: undefined, matches: undefined };

/** The index, filled. It follows until the caches close. */
export async function followRoles(catalog: Catalog, registry: Registry): Promise<RoleIndex> {
  const index = new RoleIndex();
  await Promise.all(
    KINDS.map(async ([resource, kind]) => {
      const definition = catalog.find('rbac.authorization.k8s.io', resource);
      if (definition === undefined) return;
      const { cache } = await registry.storage(definition);
      follow(cache, kind, { index, registry });
    }),
  );
  return index;
}

function follow(cache: WatchCache, kind: RbacKind, { index, registry }: { index: RoleIndex; registry: Registry }) {
  const set = (object: StoredObject) => index.set(kind, registry.decoded.peek(object.bytes) ?? decodeStored(object));
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
        if (type === 'DELETED') index.delete(kind, object.namespace ?? '', object.name);
        else set(object);
        return true;
      },
      end: () => {},
    },
  });
}
