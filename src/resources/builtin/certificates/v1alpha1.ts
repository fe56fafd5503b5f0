// Types of certificates.k8s.io/v1alpha1.

import { bytes, embedded, int32, list, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition } from '../meta/v1.ts';

export const ClusterTrustBundle = object(
  'certificates/v1alpha1.ClusterTrustBundle',
  'certificates.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, ClusterTrustBundleSpec).required(),
  }),
  { since: 27 },
);

export const ClusterTrustBundleSpec = struct('certificates/v1alpha1.ClusterTrustBundleSpec', () => ({
  signerName: string(1),
  trustBundle: string(2).required(),
}));

export const ClusterTrustBundleList = objectList(ClusterTrustBundle);

export const PodCertificateRequest = object(
  'certificates/v1alpha1.PodCertificateRequest',
  'certificates.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, PodCertificateRequestSpec).required(),
    status: embedded(3, PodCertificateRequestStatus),
  }),
  { since: 34, until: 34 },
);

export const PodCertificateRequestSpec = struct('certificates/v1alpha1.PodCertificateRequestSpec', () => ({
  signerName: string(1).required(),
  podName: string(2).required(),
  podUID: string(3).required(),
  serviceAccountName: string(4).required(),
  serviceAccountUID: string(5).required(),
  nodeName: string(6).required(),
  nodeUID: string(7).required(),
  maxExpirationSeconds: int32(8).pointer().default(86400),
  pkixPublicKey: bytes(9).required(),
  proofOfPossession: bytes(10).required(),
}));

export const PodCertificateRequestStatus = struct('certificates/v1alpha1.PodCertificateRequestStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
  certificateChain: string(2),
  notBefore: time(4).pointer(),
  beginRefreshAt: time(5).pointer(),
  notAfter: time(6).pointer(),
}));

export const PodCertificateRequestList = objectList(PodCertificateRequest);
