// The objects of storagemigration/v1alpha1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type StorageVersionMigration = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: StorageVersionMigrationSpec;
  readonly status?: StorageVersionMigrationStatus;
};

export type StorageVersionMigrationSpec = {
  readonly resource?: GroupVersionResource;
  readonly continueToken?: string;
};

export type GroupVersionResource = {
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
};

export type StorageVersionMigrationStatus = {
  readonly conditions?: readonly MigrationCondition[];
  readonly resourceVersion?: string;
};

export type MigrationCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastUpdateTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};
