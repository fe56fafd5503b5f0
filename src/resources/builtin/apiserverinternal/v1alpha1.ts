// Types of internal.apiserver.k8s.io/v1alpha1.

import { embedded, inline, int64, list, string, struct, time } from '../../../schema/build.ts';
import { objectList } from '../meta/object.ts';
import { ObjectMeta, TypeMeta } from '../meta/v1.ts';

export const StorageVersion = struct(
  'apiserverinternal/v1alpha1.StorageVersion',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ObjectMeta).from(36, embedded(1, ObjectMeta).required().omitEmpty()),
    spec: embedded(2, StorageVersionSpec).required().from(36, embedded(2, StorageVersionSpec).always()),
    status: embedded(3, StorageVersionStatus).required().from(36, embedded(3, StorageVersionStatus).always()),
  }),
  { kinds: ['internal.apiserver.k8s.io/v1alpha1/StorageVersion'] },
);

export const StorageVersionSpec = struct('apiserverinternal/v1alpha1.StorageVersionSpec', () => ({}));

export const StorageVersionStatus = struct('apiserverinternal/v1alpha1.StorageVersionStatus', () => ({
  storageVersions: list(1, ServerStorageVersion).keyed('apiServerID'),
  commonEncodingVersion: string(2).pointer(),
  conditions: list(3, StorageVersionCondition).keyed('type'),
}));

export const ServerStorageVersion = struct('apiserverinternal/v1alpha1.ServerStorageVersion', () => ({
  apiServerID: string(1).from(36, string(1).required().omitEmpty()),
  encodingVersion: string(2).from(36, string(2).required().omitEmpty()),
  decodableVersions: list(3, 'string').set().from(36, list(3, 'string').required().omitEmpty().set()),
  servedVersions: list(4, 'string').set().since(28),
}));

export const StorageVersionCondition = struct('apiserverinternal/v1alpha1.StorageVersionCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  observedGeneration: int64(3),
  lastTransitionTime: time(4),
  reason: string(5).required(),
  message: string(6).required().omitEmpty().upTo(29, string(6)),
}));

export const StorageVersionList = objectList(StorageVersion);
