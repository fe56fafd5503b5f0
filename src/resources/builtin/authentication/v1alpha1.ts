// Types of authentication.k8s.io/v1alpha1.

import { embedded, struct } from '../../../schema/build.ts';
import { object } from '../meta/object.ts';
import { UserInfo } from './v1.ts';

export const SelfSubjectReview = object(
  'authentication/v1alpha1.SelfSubjectReview',
  'authentication.k8s.io/v1alpha1',
  () => ({
    status: embedded(2, SelfSubjectReviewStatus),
  }),
  { since: 26 },
);

export const SelfSubjectReviewStatus = struct('authentication/v1alpha1.SelfSubjectReviewStatus', () => ({
  userInfo: embedded(1, UserInfo),
}));
