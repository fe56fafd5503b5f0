// Definitions of custom resources.

import type { ResourceDefinition } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { definitionBehaviour } from './behaviour.ts';
import { definitionDefaults } from './defaults.ts';

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
    behaviour: { defaults: definitionDefaults, ...definitionBehaviour, generation: true, unconditionalUpdate: false },
  }),
];
