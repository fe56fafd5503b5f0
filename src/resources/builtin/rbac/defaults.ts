// Defaults of RoleBinding and ClusterRoleBinding: the API groups of role and subjects.

import type { Draft } from '../../../api/object.ts';
import { fillInEmpty } from '../../fill-in.ts';
import type { ClusterRoleBinding, RoleBinding } from './v1-objects.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** For both kinds of bindings. Service accounts belong to the core group. */
export function bindingDefaults(binding: Draft<RoleBinding | ClusterRoleBinding>): void {
  fillInEmpty((binding.roleRef ??= {}), { apiGroup: RBAC });
  for (const subject of binding.subjects ?? []) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') fillInEmpty(subject, { apiGroup: RBAC });
  }
}
