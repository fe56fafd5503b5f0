// The objects of certificates/v1beta1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type CertificateSigningRequest = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CertificateSigningRequestSpec;
  readonly status?: CertificateSigningRequestStatus;
};

export type CertificateSigningRequestSpec = {
  readonly request?: string | null;
  readonly signerName?: string;
  readonly expirationSeconds?: number;
  readonly usages?: readonly string[];
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[] | null>>;
};

export type CertificateSigningRequestStatus = {
  readonly conditions?: readonly CertificateSigningRequestCondition[];
  readonly certificate?: string;
};

export type CertificateSigningRequestCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
};

export type ClusterTrustBundle = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ClusterTrustBundleSpec;
};

export type ClusterTrustBundleSpec = {
  readonly signerName?: string;
  readonly trustBundle?: string;
};
