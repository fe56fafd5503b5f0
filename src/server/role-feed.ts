// The index of roles and bindings, in sync with stored objects, so that a permission takes effect before its write is
// acknowledged.

import { type RbacKind, RoleIndex } from '../auth/authz/role-index.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import { followObjects } from './follow-objects.ts';

const KINDS: readonly (readonly [resource: string, kind: RbacKind])[] = [
  ['clusterroles', 'ClusterRole'],
  ['clusterrolebindings', 'ClusterRoleBinding'],
  ['roles', 'Role'],
  ['rolebindings', 'RoleBinding'],
];

/** The index, complete; it is kept in sync until the caches close. */
export async function followRoles(catalog: Catalog, registry: Registry): Promise<RoleIndex> {
  const index = new RoleIndex();
  await Promise.all(
    KINDS.map(([resource, kind]) =>
      followObjects(catalog, registry, {
        group: 'rbac.authorization.k8s.io',
        resource,
        set: (object) => index.set(kind, object),
        delete: (namespace, name) => index.delete(kind, namespace, name),
      }),
    ),
  );
  return index;
}
