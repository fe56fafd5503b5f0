// The objects of certificates/v1alpha1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { Condition } from '../meta/v1-objects.ts';

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

export type PodCertificateRequest = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodCertificateRequestSpec;
  readonly status?: PodCertificateRequestStatus;
};

export type PodCertificateRequestSpec = {
  readonly signerName?: string;
  readonly podName?: string;
  readonly podUID?: string;
  readonly serviceAccountName?: string;
  readonly serviceAccountUID?: string;
  readonly nodeName?: string;
  readonly nodeUID?: string;
  readonly maxExpirationSeconds?: number;
  readonly pkixPublicKey?: string | null;
  readonly proofOfPossession?: string | null;
};

export type PodCertificateRequestStatus = {
  readonly conditions?: readonly Condition[];
  readonly certificateChain?: string;
  readonly notBefore?: string;
  readonly beginRefreshAt?: string;
  readonly notAfter?: string;
};
