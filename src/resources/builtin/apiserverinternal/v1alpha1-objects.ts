// The objects of apiserverinternal/v1alpha1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type StorageVersion = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: StorageVersionSpec;
  readonly status?: StorageVersionStatus;
};

export type StorageVersionSpec = Readonly<Record<string, never>>;

export type StorageVersionStatus = {
  readonly storageVersions?: readonly ServerStorageVersion[];
  readonly commonEncodingVersion?: string;
  readonly conditions?: readonly StorageVersionCondition[];
};

export type ServerStorageVersion = {
  readonly apiServerID?: string;
  readonly encodingVersion?: string;
  readonly decodableVersions?: readonly string[];
  readonly servedVersions?: readonly string[];
};

export type StorageVersionCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number | bigint;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};
