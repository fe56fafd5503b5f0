// The objects of rbac/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { LabelSelector } from '../meta/v1-objects.ts';

export type ClusterRole = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: AggregationRule;
};

export type PolicyRule = {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
};

export type AggregationRule = {
  readonly clusterRoleSelectors?: readonly LabelSelector[];
};

export type ClusterRoleBinding = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly Subject[];
  readonly roleRef?: RoleRef;
};

export type Subject = {
  readonly kind?: string;
  readonly apiGroup?: string;
  readonly name?: string;
  readonly namespace?: string;
};

export type RoleRef = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
};

export type Role = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
};

export type RoleBinding = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly Subject[];
  readonly roleRef?: RoleRef;
};
