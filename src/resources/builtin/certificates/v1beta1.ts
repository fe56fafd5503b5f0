// Types of certificates.k8s.io/v1beta1.

import { bytes, embedded, int32, list, listOf, map, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const CertificateSigningRequest = object(
  'certificates/v1beta1.CertificateSigningRequest',
  'certificates.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, CertificateSigningRequestSpec).always(),
    status: embedded(3, CertificateSigningRequestStatus),
  }),
);

export const CertificateSigningRequestSpec = struct('certificates/v1beta1.CertificateSigningRequestSpec', () => ({
  request: bytes(1).always().atomic(),
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
    .declarative(
      'listType=map',
      'listMapKey=type',
      'item(type: "Approved")=+k8s:zeroOrOneOfMember',
      'item(type: "Denied")=+k8s:zeroOrOneOfMember',
    ),
  certificate: bytes(2).atomic(),
}));

export const CertificateSigningRequestCondition = struct(
  'certificates/v1beta1.CertificateSigningRequestCondition',
  () => ({
    type: string(1).always(),
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
);

export const ClusterTrustBundleSpec = struct('certificates/v1beta1.ClusterTrustBundleSpec', () => ({
  signerName: string(1),
  trustBundle: string(2).required(),
}));

export const ClusterTrustBundleList = objectList(ClusterTrustBundle);
