// Types of certificates.k8s.io/v1beta1.

import { bytes, embedded, int32, list, listOf, map, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition } from '../meta/v1.ts';

export const CertificateSigningRequest = object(
  'certificates/v1beta1.CertificateSigningRequest',
  'certificates.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, CertificateSigningRequestSpec).required(),
    status: embedded(3, CertificateSigningRequestStatus),
  }),
);

export const CertificateSigningRequestSpec = struct('certificates/v1beta1.CertificateSigningRequestSpec', () => ({
  request: bytes(1).required().atomic().from(35, bytes(1).required()),
  signerName: string(7).pointer(),
  expirationSeconds: int32(8).pointer(),
  usages: list(5, 'string').atomic(),
  username: string(2),
  uid: string(3),
  groups: list(4, 'string').atomic(),
  extra: map(6, listOf('string')),
}));

export const CertificateSigningRequestStatus = struct('certificates/v1beta1.CertificateSigningRequestStatus', () => ({
  conditions: list(1, CertificateSigningRequestCondition)
    .keyed('type')
    .declarative('item(type: "Approved")=+k8s:zeroOrOneOfMember', 'item(type: "Denied")=+k8s:zeroOrOneOfMember'),
  certificate: bytes(2).atomic().from(35, bytes(2)),
}));

export const CertificateSigningRequestCondition = struct(
  'certificates/v1beta1.CertificateSigningRequestCondition',
  () => ({
    type: string(1).required(),
    status: string(6).always(),
    reason: string(2),
    message: string(3),
    lastUpdateTime: time(4),
    lastTransitionTime: time(5),
  }),
);

export const CertificateSigningRequestList = objectList(CertificateSigningRequest);

export const ClusterTrustBundle = object(
  'certificates/v1beta1.ClusterTrustBundle',
  'certificates.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, ClusterTrustBundleSpec).required(),
  }),
  { since: 33 },
);

export const ClusterTrustBundleSpec = struct('certificates/v1beta1.ClusterTrustBundleSpec', () => ({
  signerName: string(1),
  trustBundle: string(2).required(),
}));

export const ClusterTrustBundleList = objectList(ClusterTrustBundle);

export const PodCertificateRequest = object(
  'certificates/v1beta1.PodCertificateRequest',
  'certificates.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, PodCertificateRequestSpec).required(),
    status: embedded(3, PodCertificateRequestStatus),
  }),
  { since: 35 },
);

export const PodCertificateRequestStatus = struct('certificates/v1beta1.PodCertificateRequestStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
  certificateChain: string(2),
  notBefore: time(4).pointer(),
  beginRefreshAt: time(5).pointer(),
  notAfter: time(6).pointer(),
}));

export const PodCertificateRequestSpec = struct('certificates/v1beta1.PodCertificateRequestSpec', () => ({
  signerName: string(1).required(),
  podName: string(2).required(),
  podUID: string(3).required(),
  serviceAccountName: string(4).required(),
  serviceAccountUID: string(5).required(),
  nodeName: string(6).required(),
  nodeUID: string(7).required(),
  maxExpirationSeconds: int32(8).pointer().default(86400),
  pkixPublicKey: bytes(9).always().upTo(35, bytes(9).required()),
  proofOfPossession: bytes(10).always().upTo(35, bytes(10).required()),
  stubPKCS10Request: bytes(12).required().since(36),
  unverifiedUserAnnotations: map(11, 'string'),
}));

export const PodCertificateRequestList = objectList(PodCertificateRequest);
