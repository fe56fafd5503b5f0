// Types of admission.k8s.io/v1.

import { bool, bytes, embedded, inline, list, map, pointer, raw, string, struct } from '../../../schema/build.ts';
import { UserInfo } from '../authentication/v1.ts';
import { GroupVersionKind, GroupVersionResource, Status, TypeMeta } from '../meta/v1.ts';

export const AdmissionReview = struct(
  'admission/v1.AdmissionReview',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    request: pointer(1, AdmissionRequest),
    response: pointer(2, AdmissionResponse),
  }),
  { kinds: ['admission.k8s.io/v1/AdmissionReview'] },
);

export const AdmissionRequest = struct('admission/v1.AdmissionRequest', () => ({
  uid: string(1).required().from(36, string(1).always()),
  kind: embedded(2, GroupVersionKind).required().from(36, embedded(2, GroupVersionKind).always()),
  resource: embedded(3, GroupVersionResource).required().from(36, embedded(3, GroupVersionResource).always()),
  subResource: string(4),
  requestKind: pointer(13, GroupVersionKind),
  requestResource: pointer(14, GroupVersionResource),
  requestSubResource: string(15),
  name: string(5),
  namespace: string(6),
  operation: string(7).required().from(36, string(7).always()),
  userInfo: embedded(8, UserInfo).required().from(36, embedded(8, UserInfo).always()),
  object: raw(9),
  oldObject: raw(10),
  dryRun: bool(11).pointer(),
  options: raw(12),
}));

export const AdmissionResponse = struct('admission/v1.AdmissionResponse', () => ({
  uid: string(1).required().from(36, string(1).always()),
  allowed: bool(2).required().from(36, bool(2).always()),
  status: pointer(3, Status),
  patch: bytes(4),
  patchType: string(5).pointer(),
  auditAnnotations: map(6, 'string'),
  warnings: list(7, 'string').from(35, list(7, 'string').atomic()),
}));
