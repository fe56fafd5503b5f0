// Types of authorization.k8s.io/v1beta1.

import { bool, embedded, list, listOf, map, pointer, string, struct } from '../../../schema/build.ts';
import { object } from '../meta/object.ts';
import { FieldSelectorAttributes, LabelSelectorAttributes } from './v1.ts';

export const LocalSubjectAccessReview = object(
  'authorization/v1beta1.LocalSubjectAccessReview',
  'authorization.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, SubjectAccessReviewSpec).required(),
    status: embedded(3, SubjectAccessReviewStatus),
  }),
);

export const SubjectAccessReviewSpec = struct('authorization/v1beta1.SubjectAccessReviewSpec', () => ({
  resourceAttributes: pointer(1, ResourceAttributes),
  nonResourceAttributes: pointer(2, NonResourceAttributes),
  user: string(3),
  group: list(4, 'string').atomic(30),
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
  fieldSelector: pointer(8, FieldSelectorAttributes).since(31),
  labelSelector: pointer(9, LabelSelectorAttributes).since(31),
}));

export const NonResourceAttributes = struct('authorization/v1beta1.NonResourceAttributes', () => ({
  path: string(1),
  verb: string(2),
}));

export const SubjectAccessReviewStatus = struct('authorization/v1beta1.SubjectAccessReviewStatus', () => ({
  allowed: bool(1).required(),
  denied: bool(4),
  reason: string(2),
  evaluationError: string(3),
}));

export const SelfSubjectAccessReview = object(
  'authorization/v1beta1.SelfSubjectAccessReview',
  'authorization.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, SelfSubjectAccessReviewSpec).required(),
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
    spec: embedded(2, SelfSubjectRulesReviewSpec).required(),
    status: embedded(3, SubjectRulesReviewStatus),
  }),
);

export const SelfSubjectRulesReviewSpec = struct('authorization/v1beta1.SelfSubjectRulesReviewSpec', () => ({
  namespace: string(1),
}));

export const SubjectRulesReviewStatus = struct('authorization/v1beta1.SubjectRulesReviewStatus', () => ({
  resourceRules: list(1, ResourceRule).required().atomic(30),
  nonResourceRules: list(2, NonResourceRule).required().atomic(30),
  incomplete: bool(3).required(),
  evaluationError: string(4),
}));

export const ResourceRule = struct('authorization/v1beta1.ResourceRule', () => ({
  verbs: list(1, 'string').required().atomic(30),
  apiGroups: list(2, 'string').atomic(30),
  resources: list(3, 'string').atomic(30),
  resourceNames: list(4, 'string').atomic(30),
}));

export const NonResourceRule = struct('authorization/v1beta1.NonResourceRule', () => ({
  verbs: list(1, 'string').required().atomic(30),
  nonResourceURLs: list(2, 'string').atomic(30),
}));

export const SubjectAccessReview = object(
  'authorization/v1beta1.SubjectAccessReview',
  'authorization.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, SubjectAccessReviewSpec).required(),
    status: embedded(3, SubjectAccessReviewStatus),
  }),
);
