// Types of authentication.k8s.io/v1.

import { bool, embedded, int64, list, listOf, map, pointer, string, struct, time } from '../../../schema/build.ts';
import { object } from '../meta/object.ts';

export const SelfSubjectReview = object('authentication/v1.SelfSubjectReview', 'authentication.k8s.io/v1', () => ({
  status: embedded(2, SelfSubjectReviewStatus),
}));

export const SelfSubjectReviewStatus = struct('authentication/v1.SelfSubjectReviewStatus', () => ({
  userInfo: embedded(1, UserInfo),
}));

export const UserInfo = struct('authentication/v1.UserInfo', () => ({
  username: string(1),
  uid: string(2),
  groups: list(3, 'string').atomic(),
  extra: map(4, listOf('string')),
}));

export const TokenRequest = object('authentication/v1.TokenRequest', 'authentication.k8s.io/v1', () => ({
  spec: embedded(2, TokenRequestSpec).required(),
  status: embedded(3, TokenRequestStatus),
}));

export const TokenRequestSpec = struct('authentication/v1.TokenRequestSpec', () => ({
  audiences: list(1, 'string').required().atomic(),
  expirationSeconds: int64(4).pointer().always(),
  boundObjectRef: pointer(3, BoundObjectReference).always(),
}));

export const BoundObjectReference = struct('authentication/v1.BoundObjectReference', () => ({
  kind: string(1),
  apiVersion: string(2),
  name: string(3),
  uid: string(4),
}));

export const TokenRequestStatus = struct('authentication/v1.TokenRequestStatus', () => ({
  token: string(1).required(),
  expirationTimestamp: time(2).required(),
}));

export const TokenReview = object('authentication/v1.TokenReview', 'authentication.k8s.io/v1', () => ({
  spec: embedded(2, TokenReviewSpec).required(),
  status: embedded(3, TokenReviewStatus),
}));

export const TokenReviewSpec = struct('authentication/v1.TokenReviewSpec', () => ({
  token: string(1),
  audiences: list(2, 'string').atomic(),
}));

export const TokenReviewStatus = struct('authentication/v1.TokenReviewStatus', () => ({
  authenticated: bool(1),
  user: embedded(2, UserInfo),
  audiences: list(4, 'string').atomic(),
  error: string(3),
}));
