// The objects of authentication/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type SelfSubjectReview = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly status?: SelfSubjectReviewStatus;
};

export type SelfSubjectReviewStatus = {
  readonly userInfo?: UserInfo;
};

export type UserInfo = {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[] | null>>;
};

export type TokenRequest = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: TokenRequestSpec;
  readonly status?: TokenRequestStatus;
};

export type TokenRequestSpec = {
  readonly audiences?: readonly string[] | null;
  readonly expirationSeconds?: number | bigint | null;
  readonly boundObjectRef?: BoundObjectReference | null;
};

export type BoundObjectReference = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
};

export type TokenRequestStatus = {
  readonly token?: string;
  readonly expirationTimestamp?: string | null;
};

export type TokenReview = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: TokenReviewSpec;
  readonly status?: TokenReviewStatus;
};

export type TokenReviewSpec = {
  readonly token?: string;
  readonly audiences?: readonly string[];
};

export type TokenReviewStatus = {
  readonly authenticated?: boolean;
  readonly user?: UserInfo;
  readonly audiences?: readonly string[];
  readonly error?: string;
};
