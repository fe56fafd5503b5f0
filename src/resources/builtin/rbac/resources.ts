// Roles and bindings.

import type { ResourceDefinition } from '../../definition.ts';
import { group } from '../../resource.ts';
import { bindingDefaults } from './defaults.ts';
import { bindingTable } from './tables.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './v1-objects.ts';
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './validation.ts';

const rbac = group('rbac.authorization.k8s.io', 'v1');

export const rbacResources: readonly ResourceDefinition[] = [
  rbac<ClusterRoleBinding>({
    resource: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    cluster: true,
    strategy: { ...clusterRoleBindingRules, defaults: bindingDefaults, nameRule: 'pathSegment', createOnUpdate: true },
    table: bindingTable,
  }),
  rbac<ClusterRole>({
    resource: 'clusterroles',
    kind: 'ClusterRole',
    cluster: true,
    strategy: { ...clusterRoleRules, nameRule: 'pathSegment', createOnUpdate: true },
  }),
  rbac<RoleBinding>({
    resource: 'rolebindings',
    kind: 'RoleBinding',
    strategy: { ...roleBindingRules, defaults: bindingDefaults, nameRule: 'pathSegment', createOnUpdate: true },
    table: bindingTable,
  }),
  rbac<Role>({
    resource: 'roles',
    kind: 'Role',
    strategy: { ...roleRules, nameRule: 'pathSegment', createOnUpdate: true },
  }),
];
