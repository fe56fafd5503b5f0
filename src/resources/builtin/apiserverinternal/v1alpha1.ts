// Types of internal.apiserver.k8s.io/v1alpha1.

import { embedded, int64, list, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const StorageVersion = object(
  'apiserverinternal/v1alpha1.StorageVersion',
  'internal.apiserver.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, StorageVersionSpec).required(),
    status: embedded(3, StorageVersionStatus).required(),
  }),
);

export const StorageVersionSpec = struct('apiserverinternal/v1alpha1.StorageVersionSpec', () => ({}));

export const StorageVersionStatus = struct('apiserverinternal/v1alpha1.StorageVersionStatus', () => ({
  storageVersions: list(1, ServerStorageVersion).keyed('apiServerID'),
  commonEncodingVersion: string(2).pointer(),
  conditions: list(3, StorageVersionCondition).keyed('type'),
}));

export const ServerStorageVersion = struct('apiserverinternal/v1alpha1.ServerStorageVersion', () => ({
  apiServerID: string(1),
  encodingVersion: string(2),
  decodableVersions: list(3, 'string').set(),
  servedVersions: list(4, 'string').set(),
}));

export const StorageVersionCondition = struct('apiserverinternal/v1alpha1.StorageVersionCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  observedGeneration: int64(3),
  lastTransitionTime: time(4),
  reason: string(5).required(),
  message: string(6).required().omitEmpty(),
}));

export const StorageVersionList = objectList(StorageVersion);
