// Types of certificates.k8s.io/v1.

import { bytes, embedded, int32, list, listOf, map, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { KEY_USAGES } from './key-usages.ts';

export const CertificateSigningRequest = object(
  'certificates/v1.CertificateSigningRequest',
  'certificates.k8s.io/v1',
  () => ({
    spec: embedded(2, CertificateSigningRequestSpec).required(),
    status: embedded(3, CertificateSigningRequestStatus),
  }),
);

export const CertificateSigningRequestSpec = struct('certificates/v1.CertificateSigningRequestSpec', () => ({
  request: bytes(1).required().atomic(),
  signerName: string(7).required(),
  expirationSeconds: int32(8).pointer(),
  usages: list(5, 'string')
    .atomic()
    .itemsOneOf(...KEY_USAGES),
  username: string(2),
  uid: string(3),
  groups: list(4, 'string').atomic(),
  extra: map(6, listOf('string')),
}));

export const CertificateSigningRequestStatus = struct('certificates/v1.CertificateSigningRequestStatus', () => ({
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

export const CertificateSigningRequestCondition = struct('certificates/v1.CertificateSigningRequestCondition', () => ({
  type: string(1).required(),
  status: string(6).required(),
  reason: string(2),
  message: string(3),
  lastUpdateTime: time(4),
  lastTransitionTime: time(5),
}));

export const CertificateSigningRequestList = objectList(CertificateSigningRequest);
