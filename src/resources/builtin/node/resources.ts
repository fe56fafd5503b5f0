// RuntimeClasses.

import type { ResourceDefinition } from '../../definition.ts';
import { group } from '../../resource.ts';
import { runtimeClassTable } from './tables.ts';
import type { RuntimeClass } from './v1-objects.ts';
import { runtimeClassRules } from './validation.ts';

const node = group('node.k8s.io', 'v1');

export const nodeResources: readonly ResourceDefinition[] = [
  node<RuntimeClass>({
    resource: 'runtimeclasses',
    kind: 'RuntimeClass',
    cluster: true,
    strategy: { ...runtimeClassRules, createOnUpdate: true, unconditionalUpdate: false },
    table: runtimeClassTable,
  }),
];
