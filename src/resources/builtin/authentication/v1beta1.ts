// Types of authentication.k8s.io/v1beta1.

import { bool, embedded, list, listOf, map, string, struct } from '../../../schema/build.ts';
import { object } from '../meta/object.ts';
import { UserInfo as AuthenticationUserInfo } from './v1.ts';

export const SelfSubjectReview = object(
  'authentication/v1beta1.SelfSubjectReview',
  'authentication.k8s.io/v1beta1',
  () => ({
    status: embedded(2, SelfSubjectReviewStatus),
  }),
  { since: 27 },
);

export const SelfSubjectReviewStatus = struct('authentication/v1beta1.SelfSubjectReviewStatus', () => ({
  userInfo: embedded(1, AuthenticationUserInfo),
}));

export const TokenReview = object('authentication/v1beta1.TokenReview', 'authentication.k8s.io/v1beta1', () => ({
  spec: embedded(2, TokenReviewSpec).required(),
  status: embedded(3, TokenReviewStatus),
}));

export const TokenReviewSpec = struct('authentication/v1beta1.TokenReviewSpec', () => ({
  token: string(1).from(36, string(1).required().omitEmpty()),
  audiences: list(2, 'string').atomic(30),
}));

export const TokenReviewStatus = struct('authentication/v1beta1.TokenReviewStatus', () => ({
  authenticated: bool(1),
  user: embedded(2, UserInfo),
  audiences: list(4, 'string').atomic(30),
  error: string(3),
}));

export const UserInfo = struct('authentication/v1beta1.UserInfo', () => ({
  username: string(1),
  uid: string(2),
  groups: list(3, 'string').atomic(30),
  extra: map(4, listOf('string')),
}));
