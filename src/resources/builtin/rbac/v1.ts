// Types of rbac.authorization.k8s.io/v1.

import { embedded, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { LabelSelector } from '../meta/v1.ts';

export const ClusterRole = object('rbac/v1.ClusterRole', 'rbac.authorization.k8s.io/v1', () => ({
  rules: list(2, PolicyRule).always().atomic(30),
  aggregationRule: pointer(3, AggregationRule),
}));

export const PolicyRule = struct('rbac/v1.PolicyRule', () => ({
  verbs: list(1, 'string').required().atomic(30),
  apiGroups: list(2, 'string').atomic(30),
  resources: list(3, 'string').atomic(30),
  resourceNames: list(4, 'string').atomic(30),
  nonResourceURLs: list(5, 'string').atomic(30),
}));

export const AggregationRule = struct('rbac/v1.AggregationRule', () => ({
  clusterRoleSelectors: list(1, LabelSelector).atomic(30),
}));

export const ClusterRoleList = objectList(ClusterRole);

export const ClusterRoleBinding = object('rbac/v1.ClusterRoleBinding', 'rbac.authorization.k8s.io/v1', () => ({
  subjects: list(2, Subject).atomic(30),
  roleRef: embedded(3, RoleRef).required(),
}));

export const Subject = struct(
  'rbac/v1.Subject',
  () => ({
    kind: string(1).required(),
    apiGroup: string(2),
    name: string(3).required(),
    namespace: string(4),
  }),
  { mapType: 'atomic' },
);

export const RoleRef = struct(
  'rbac/v1.RoleRef',
  () => ({
    apiGroup: string(1).required().from(36, string(1).always()),
    kind: string(2).required(),
    name: string(3).required(),
  }),
  { mapType: 'atomic' },
);

export const ClusterRoleBindingList = objectList(ClusterRoleBinding);

export const Role = object('rbac/v1.Role', 'rbac.authorization.k8s.io/v1', () => ({
  rules: list(2, PolicyRule).always().atomic(30),
}));

export const RoleList = objectList(Role);

export const RoleBinding = object('rbac/v1.RoleBinding', 'rbac.authorization.k8s.io/v1', () => ({
  subjects: list(2, Subject).atomic(30),
  roleRef: embedded(3, RoleRef).required(),
}));

export const RoleBindingList = objectList(RoleBinding);
