// Types of rbac.authorization.k8s.io/v1alpha1.

import { embedded, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { LabelSelector } from '../meta/v1.ts';

export const ClusterRole = object('rbac/v1alpha1.ClusterRole', 'rbac.authorization.k8s.io/v1alpha1', () => ({
  rules: list(2, PolicyRule).always().atomic(),
  aggregationRule: pointer(3, AggregationRule),
}));

export const PolicyRule = struct('rbac/v1alpha1.PolicyRule', () => ({
  verbs: list(1, 'string').always().atomic(),
  apiGroups: list(3, 'string').atomic(),
  resources: list(4, 'string').atomic(),
  resourceNames: list(5, 'string').atomic(),
  nonResourceURLs: list(6, 'string').atomic(),
}));

export const AggregationRule = struct('rbac/v1alpha1.AggregationRule', () => ({
  clusterRoleSelectors: list(1, LabelSelector).atomic(),
}));

export const ClusterRoleList = objectList(ClusterRole);

export const ClusterRoleBinding = object(
  'rbac/v1alpha1.ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1alpha1',
  () => ({
    subjects: list(2, Subject).atomic(),
    roleRef: embedded(3, RoleRef).always(),
  }),
);

export const Subject = struct('rbac/v1alpha1.Subject', () => ({
  kind: string(1).always(),
  apiVersion: string(2).declarative('conversion-gen=false'),
  name: string(3).always(),
  namespace: string(4),
}));

export const RoleRef = struct('rbac/v1alpha1.RoleRef', () => ({
  apiGroup: string(1).always(),
  kind: string(2).always(),
  name: string(3).always(),
}));

export const ClusterRoleBindingList = objectList(ClusterRoleBinding);

export const Role = object('rbac/v1alpha1.Role', 'rbac.authorization.k8s.io/v1alpha1', () => ({
  rules: list(2, PolicyRule).always().atomic(),
}));

export const RoleList = objectList(Role);

export const RoleBinding = object('rbac/v1alpha1.RoleBinding', 'rbac.authorization.k8s.io/v1alpha1', () => ({
  subjects: list(2, Subject).atomic(),
  roleRef: embedded(3, RoleRef).always(),
}));

export const RoleBindingList = objectList(RoleBinding);
