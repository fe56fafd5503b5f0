// CustomResourceDefinitions.

import { combined } from '../../combined-rules.ts';
import type { ResourceDefinition } from '../../definition.ts';
import { group, ownWithoutTables } from '../../resource.ts';
import { definitionDefaults } from './defaults.ts';
import { definitionStrategy } from './strategy.ts';
import { definitionTable } from './tables.ts';

const apiextensions = group('apiextensions.k8s.io', 'v1');

export const apiextensionsResources: readonly ResourceDefinition[] = [
  apiextensions({
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    hashedVersion: 'v1beta1',
    cluster: true,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    prefix: 'apiextensions.k8s.io/customresourcedefinitions',
    subresources: { status: ownWithoutTables },
    strategy: combined(definitionStrategy, {
      defaults: definitionDefaults,
      generation: true,
      unconditionalUpdate: false,
      // A write to the status changes metadata, which it never owns.
      subresources: { status: { resets: ['metadata', 'spec'] } },
    }),
    table: definitionTable,
  }),
];
