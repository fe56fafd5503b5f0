// Types of authentication.k8s.io/v1.

import { bool, embedded, int64, list, listOf, map, pointer, string, struct, time } from '../../../schema/build.ts';
import { object } from '../meta/object.ts';

export const SelfSubjectReview = object(
  'authentication/v1.SelfSubjectReview',
  'authentication.k8s.io/v1',
  () => ({
    status: embedded(2, SelfSubjectReviewStatus),
  }),
  { since: 28 },
);

export const SelfSubjectReviewStatus = struct('authentication/v1.SelfSubjectReviewStatus', () => ({
  userInfo: embedded(1, UserInfo),
}));

export const UserInfo = struct('authentication/v1.UserInfo', () => ({
  username: string(1),
  uid: string(2),
  groups: list(3, 'string').atomic(30),
  extra: map(4, listOf('string')),
}));

export const TokenRequest = object('authentication/v1.TokenRequest', 'authentication.k8s.io/v1', () => ({
  spec: embedded(2, TokenRequestSpec).required().from(36, embedded(2, TokenRequestSpec).always()),
  status: embedded(3, TokenRequestStatus),
}));

export const TokenRequestSpec = struct('authentication/v1.TokenRequestSpec', () => ({
  audiences: list(1, 'string').required().atomic(30).from(36, list(1, 'string').always().atomic()),
  expirationSeconds: int64(4).pointer().always(),
  boundObjectRef: pointer(3, BoundObjectReference).always(),
  attestations: map(5, listOf('string')).since(37),
}));

export const BoundObjectReference = struct('authentication/v1.BoundObjectReference', () => ({
  kind: string(1),
  apiVersion: string(2),
  name: string(3),
  uid: string(4),
}));

export const TokenRequestStatus = struct('authentication/v1.TokenRequestStatus', () => ({
  token: string(1).required().from(36, string(1).always()),
  expirationTimestamp: time(2).required().from(36, time(2).always()),
}));

export const TokenReview = object('authentication/v1.TokenReview', 'authentication.k8s.io/v1', () => ({
  spec: embedded(2, TokenReviewSpec).required(),
  status: embedded(3, TokenReviewStatus),
}));

export const TokenReviewSpec = struct('authentication/v1.TokenReviewSpec', () => ({
  token: string(1).from(36, string(1).required().omitEmpty()),
  audiences: list(2, 'string').atomic(30),
}));

export const TokenReviewStatus = struct('authentication/v1.TokenReviewStatus', () => ({
  authenticated: bool(1),
  user: embedded(2, UserInfo),
  audiences: list(4, 'string').atomic(30),
  error: string(3),
}));
