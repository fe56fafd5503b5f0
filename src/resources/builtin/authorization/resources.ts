// Access reviews; nothing is stored.

import type { ResourceDefinition } from '../../definition.ts';
import { group } from '../../resource.ts';
import type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from './v1-objects.ts';
import { localSubjectAccessReviewRules, selfSubjectAccessReviewRules, subjectAccessReviewRules } from './validation.ts';

const authorization = group('authorization.k8s.io', 'v1');

export const authorizationResources: readonly ResourceDefinition[] = [
  authorization<LocalSubjectAccessReview>({
    resource: 'localsubjectaccessreviews',
    kind: 'LocalSubjectAccessReview',
    verbs: ['create'],
    strategy: localSubjectAccessReviewRules,
  }),
  authorization<SelfSubjectAccessReview>({
    resource: 'selfsubjectaccessreviews',
    kind: 'SelfSubjectAccessReview',
    cluster: true,
    verbs: ['create'],
    strategy: selfSubjectAccessReviewRules,
  }),
  authorization<SelfSubjectRulesReview>({
    resource: 'selfsubjectrulesreviews',
    kind: 'SelfSubjectRulesReview',
    cluster: true,
    verbs: ['create'],
  }),
  authorization<SubjectAccessReview>({
    resource: 'subjectaccessreviews',
    kind: 'SubjectAccessReview',
    cluster: true,
    verbs: ['create'],
    strategy: subjectAccessReviewRules,
  }),
];
