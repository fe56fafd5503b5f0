// Definitions of custom resources.

import type { ResourceDefinition } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { definitionDefaults } from './defaults.ts';
import { definitionStrategy } from './strategy.ts';

const apiextensions = group('apiextensions.k8s.io', 'v1');

export const apiextensionsResources: readonly ResourceDefinition[] = [
  apiextensions({
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    hash: 'jfWCUB31mvA=',
    cluster: true,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    prefix: 'apiextensions.k8s.io/customresourcedefinitions',
    subresources: { status: own },
    strategy: { defaults: definitionDefaults, ...definitionStrategy, generation: true, unconditionalUpdate: false },
  }),
];
