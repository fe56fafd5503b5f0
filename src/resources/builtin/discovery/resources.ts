// EndpointSlices.

import type { ResourceDefinition } from '../../definition.ts';
import { group } from '../../resource.ts';
import { endpointSliceDefaults } from './defaults.ts';
import { endpointSliceTable } from './tables.ts';
import type { EndpointSlice } from './v1-objects.ts';
import { endpointSliceRules } from './validation.ts';

const discovery = group('discovery.k8s.io', 'v1');

export const discoveryResources: readonly ResourceDefinition[] = [
  discovery<EndpointSlice>({
    resource: 'endpointslices',
    kind: 'EndpointSlice',
    hashedVersion: { 0: 'v1beta1', 31: 'v1' },
    strategy: {
      ...endpointSliceRules,
      defaults: endpointSliceDefaults,
      generation: { also: 'labels', countsDropped: true },
    },
    table: endpointSliceTable,
  }),
];
