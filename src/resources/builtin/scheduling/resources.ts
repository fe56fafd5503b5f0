// PriorityClasses.

import type { ResourceDefinition } from '../../definition.ts';
import { group } from '../../resource.ts';
import { priorityClassDefaults } from './defaults.ts';
import { priorityClassTable } from './tables.ts';
import type { PriorityClass } from './v1-objects.ts';
import { priorityClassRules } from './validation.ts';

const scheduling = group('scheduling.k8s.io', 'v1');

export const schedulingResources: readonly ResourceDefinition[] = [
  scheduling<PriorityClass>({
    resource: 'priorityclasses',
    kind: 'PriorityClass',
    hash: '1QwjyaZjj3Y=',
    cluster: true,
    shortNames: ['pc'],
    strategy: {
      ...priorityClassRules,
      defaults: priorityClassDefaults,
      generation: true,
      generationRaisedBy: 'never',
    },
    table: priorityClassTable,
  }),
];
