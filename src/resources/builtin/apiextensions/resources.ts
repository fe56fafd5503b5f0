// CustomResourceDefinitions.

import { isSince } from '../../../lifecycle/version.ts';
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
    strategy: (minor) =>
      combined(definitionStrategy, {
        defaults: definitionDefaults,
        generation: true,
        unconditionalUpdate: false,
        // A write to the status changes metadata, which its writer owns from 1.36 on only.
        subresources: { status: { resets: isSince({ minor }, 36) ? ['spec'] : ['metadata', 'spec'] } },
      }),
    table: definitionTable,
  }),
];
