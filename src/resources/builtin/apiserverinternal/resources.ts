// Storage versions of the servers of a cluster.

import { combined } from '../../combined-rules.ts';
import { RESET_METADATA, type ResourceDefinition } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { storageVersionTable } from './tables.ts';
import type { StorageVersion } from './v1alpha1-objects.ts';
import { storageVersionRules } from './validation.ts';

const apiserverinternal = group('internal.apiserver.k8s.io', 'v1alpha1');

export const apiserverinternalResources: readonly ResourceDefinition[] = [
  apiserverinternal<StorageVersion>({
    resource: 'storageversions',
    kind: 'StorageVersion',
    cluster: true,
    subresources: { status: own },
    strategy: combined(storageVersionRules, {
      unconditionalUpdate: false,
      subresources: { status: { keeps: RESET_METADATA, resets: ['metadata', 'spec'] } },
    }),
    table: storageVersionTable,
  }),
];
