// StorageVersionMigrations.

import { combined } from '../../combined-rules.ts';
import { RESET_METADATA, type ResourceDefinition } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { migrationTable } from './tables.ts';
import type { StorageVersionMigration } from './v1alpha1-objects.ts';
import { migrationRules } from './validation.ts';

const storagemigration = group('storagemigration.k8s.io', 'v1', 'v1beta1', 'v1alpha1');

export const storagemigrationResources: readonly ResourceDefinition[] = [
  storagemigration<StorageVersionMigration>({
    resource: 'storageversionmigrations',
    kind: 'StorageVersionMigration',
    storage: { 0: 'v1alpha1', 35: 'v1beta1' },
    cluster: true,
    subresources: { status: own },
    strategy: combined(migrationRules, {
      unconditionalUpdate: false,
      subresources: { status: { keeps: RESET_METADATA } },
    }),
    table: migrationTable,
  }),
];
