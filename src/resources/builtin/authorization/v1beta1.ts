// Types of authorization.k8s.io/v1beta1.

import { bool, embedded, list, listOf, map, pointer, string, struct } from '../../../schema/build.ts';
import { object } from '../meta/object.ts';
import { FieldSelectorAttributes, LabelSelectorAttributes } from './v1.ts';

export const LocalSubjectAccessReview = object(
  'authorization/v1beta1.LocalSubjectAccessReview',
  'authorization.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, SubjectAccessReviewSpec).always(),
    status: embedded(3, SubjectAccessReviewStatus),
  }),
);

export const SubjectAccessReviewSpec = struct('authorization/v1beta1.SubjectAccessReviewSpec', () => ({
  resourceAttributes: pointer(1, ResourceAttributes),
  nonResourceAttributes: pointer(2, NonResourceAttributes),
  user: string(3),
  group: list(4, 'string').atomic(),
  extra: map(5, listOf('string')),
  uid: string(6),
}));

export const ResourceAttributes = struct('authorization/v1beta1.ResourceAttributes', () => ({
  namespace: string(1),
  verb: string(2),
  group: string(3),
  version: string(4),
  resource: string(5),
  subresource: string(6),
  name: string(7),
  fieldSelector: pointer(8, FieldSelectorAttributes),
  labelSelector: pointer(9, LabelSelectorAttributes),
}));

export const NonResourceAttributes = struct('authorization/v1beta1.NonResourceAttributes', () => ({
  path: string(1),
  verb: string(2),
}));

export const SubjectAccessReviewStatus = struct('authorization/v1beta1.SubjectAccessReviewStatus', () => ({
  allowed: bool(1).always(),
  denied: bool(4),
  reason: string(2),
  evaluationError: string(3),
}));

export const SelfSubjectAccessReview = object(
  'authorization/v1beta1.SelfSubjectAccessReview',
  'authorization.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, SelfSubjectAccessReviewSpec).always(),
    status: embedded(3, SubjectAccessReviewStatus),
  }),
);

export const SelfSubjectAccessReviewSpec = struct('authorization/v1beta1.SelfSubjectAccessReviewSpec', () => ({
  resourceAttributes: pointer(1, ResourceAttributes),
  nonResourceAttributes: pointer(2, NonResourceAttributes),
}));

export const SelfSubjectRulesReview = object(
  'authorization/v1beta1.SelfSubjectRulesReview',
  'authorization.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, SelfSubjectRulesReviewSpec).always(),
    status: embedded(3, SubjectRulesReviewStatus),
  }),
);

export const SelfSubjectRulesReviewSpec = struct('authorization/v1beta1.SelfSubjectRulesReviewSpec', () => ({
  namespace: string(1),
}));

export const SubjectRulesReviewStatus = struct('authorization/v1beta1.SubjectRulesReviewStatus', () => ({
  resourceRules: list(1, ResourceRule).always().atomic(),
  nonResourceRules: list(2, NonResourceRule).always().atomic(),
  incomplete: bool(3).always(),
  evaluationError: string(4),
}));

export const ResourceRule = struct('authorization/v1beta1.ResourceRule', () => ({
  verbs: list(1, 'string').always().atomic(),
  apiGroups: list(2, 'string').atomic(),
  resources: list(3, 'string').atomic(),
  resourceNames: list(4, 'string').atomic(),
}));

export const NonResourceRule = struct('authorization/v1beta1.NonResourceRule', () => ({
  verbs: list(1, 'string').always().atomic(),
  nonResourceURLs: list(2, 'string').atomic(),
}));

export const SubjectAccessReview = object(
  'authorization/v1beta1.SubjectAccessReview',
  'authorization.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, SubjectAccessReviewSpec).always(),
    status: embedded(3, SubjectAccessReviewStatus),
  }),
);
