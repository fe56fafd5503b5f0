// CustomResourceDefinitions.

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
    strategy: {
      defaults: definitionDefaults,
      ...definitionStrategy,
      generation: true,
      unconditionalUpdate: false,
      shortPreconditions: true,
      // A write to the status changes metadata, which it never owns.
      resetFields: { status: ['metadata', 'spec'] },
    },
    table: definitionTable,
  }),
];
