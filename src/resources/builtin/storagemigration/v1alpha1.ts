// Types of storagemigration.k8s.io/v1alpha1.

import { embedded, inline, list, string, struct, time } from '../../../schema/build.ts';
import { object } from '../meta/object.ts';
import { ListMeta, TypeMeta } from '../meta/v1.ts';

export const StorageVersionMigration = object(
  'storagemigration/v1alpha1.StorageVersionMigration',
  'storagemigration.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, StorageVersionMigrationSpec),
    status: embedded(3, StorageVersionMigrationStatus),
  }),
  { since: 30, until: 34 },
);

export const StorageVersionMigrationSpec = struct('storagemigration/v1alpha1.StorageVersionMigrationSpec', () => ({
  resource: embedded(1, GroupVersionResource).required(),
  continueToken: string(2),
}));

export const GroupVersionResource = struct('storagemigration/v1alpha1.GroupVersionResource', () => ({
  group: string(1),
  version: string(2),
  resource: string(3),
}));

export const StorageVersionMigrationStatus = struct('storagemigration/v1alpha1.StorageVersionMigrationStatus', () => ({
  conditions: list(1, MigrationCondition).keyed('type').mergedBy('type'),
  resourceVersion: string(2),
}));

export const MigrationCondition = struct('storagemigration/v1alpha1.MigrationCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastUpdateTime: time(3),
  reason: string(4),
  message: string(5),
}));

export const StorageVersionMigrationList = struct(
  'storagemigration/v1alpha1.StorageVersionMigrationList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    items: list(2, StorageVersionMigration).required().keyed('type').mergedBy('type'),
  }),
  { kinds: ['storagemigration.k8s.io/v1alpha1/StorageVersionMigrationList'], since: 30, until: 34 },
);
