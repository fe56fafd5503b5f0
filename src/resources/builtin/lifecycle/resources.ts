// Evictions and EvictionRequests: pods that are asked to leave, and who answers for them.

import { combined } from '../../combined-rules.ts';
import { type ResourceDefinition, STATUS_APART } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { evictionRequestTable, evictionTable } from './tables.ts';
import type { Eviction, EvictionRequest } from './v1alpha1-objects.ts';
import { evictionRequestRules, evictionRules } from './validation.ts';

const lifecycle = group('lifecycle.k8s.io', 'v1alpha1');

const common = { ...STATUS_APART, generation: true, unconditionalUpdate: false };

export const lifecycleResources: readonly ResourceDefinition[] = [
  lifecycle<EvictionRequest>({
    resource: 'evictionrequests',
    kind: 'EvictionRequest',
    subresources: { status: own },
    strategy: combined<EvictionRequest>(common, evictionRequestRules),
    table: evictionRequestTable,
  }),
  lifecycle<Eviction>({
    resource: 'evictions',
    kind: 'Eviction',
    subresources: { status: own },
    strategy: combined<Eviction>(common, evictionRules),
    table: evictionTable,
  }),
];
