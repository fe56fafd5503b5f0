// APIServices.

import { combined } from '../../combined-rules.ts';
import type { ResourceDefinition } from '../../definition.ts';
import { group, ownWithoutTables } from '../../resource.ts';
import { apiServiceDefaults } from './defaults.ts';
import { apiServiceStrategy } from './strategy.ts';
import { apiServiceTable } from './tables.ts';
import type { APIService } from './v1-objects.ts';
import { apiServiceRules } from './validation.ts';

const apiregistration = group('apiregistration.k8s.io', 'v1');

export const apiregistrationResources: readonly ResourceDefinition[] = [
  apiregistration<APIService>({
    resource: 'apiservices',
    kind: 'APIService',
    cluster: true,
    categories: ['api-extensions'],
    prefix: 'apiregistration.k8s.io/apiservices',
    subresources: { status: ownWithoutTables },
    strategy: combined(apiServiceRules, apiServiceStrategy, {
      defaults: apiServiceDefaults,
      unconditionalUpdate: false,
      subresources: { status: { keeps: ['labels', 'annotations', 'finalizers', 'ownerReferences'] } },
    }),
    table: apiServiceTable,
  }),
];
