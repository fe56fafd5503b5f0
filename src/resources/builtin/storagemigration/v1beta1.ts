// Types of storagemigration.k8s.io/v1beta1.

import { embedded, list, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition, GroupResource } from '../meta/v1.ts';

export const StorageVersionMigration = object(
  'storagemigration/v1beta1.StorageVersionMigration',
  'storagemigration.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, StorageVersionMigrationSpec),
    status: embedded(3, StorageVersionMigrationStatus),
  }),
  { since: 35 },
);

export const StorageVersionMigrationStatus = struct('storagemigration/v1beta1.StorageVersionMigrationStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
  resourceVersion: string(2),
}));

export const StorageVersionMigrationSpec = struct('storagemigration/v1beta1.StorageVersionMigrationSpec', () => ({
  resource: embedded(1, GroupResource).required(),
}));

export const StorageVersionMigrationList = objectList(StorageVersionMigration);
