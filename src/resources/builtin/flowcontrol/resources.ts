// FlowSchemas and PriorityLevelConfigurations.

import { combined } from '../../combined-rules.ts';
import { type ResourceDefinition, WHOLE_METADATA } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { flowSchemaDefaults, priorityLevelDefaults } from './defaults.ts';
import { flowSchemaTable, priorityLevelTable } from './tables.ts';
import type { FlowSchema, PriorityLevelConfiguration } from './v1-objects.ts';
import { flowSchemaRules, priorityLevelRules } from './validation.ts';

const flowcontrol = group('flowcontrol.apiserver.k8s.io', 'v1');

export const flowcontrolResources: readonly ResourceDefinition[] = [
  flowcontrol<FlowSchema>({
    resource: 'flowschemas',
    kind: 'FlowSchema',
    cluster: true,
    subresources: { status: own },
    strategy: combined(flowSchemaRules, {
      defaults: flowSchemaDefaults,
      generation: true,
      subresources: { status: { checks: { update: ['change'] }, keeps: WHOLE_METADATA } },
    }),
    table: flowSchemaTable,
  }),
  flowcontrol<PriorityLevelConfiguration>({
    resource: 'prioritylevelconfigurations',
    kind: 'PriorityLevelConfiguration',
    cluster: true,
    subresources: { status: own },
    strategy: combined(priorityLevelRules, {
      defaults: priorityLevelDefaults,
      generation: true,
      subresources: { status: { checks: { update: ['change'] }, keeps: WHOLE_METADATA } },
    }),
    table: priorityLevelTable,
  }),
];
