// PodDisruptionBudgets.

import type { ResourceDefinition } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { podDisruptionBudgetTable } from './tables.ts';
import type { PodDisruptionBudget } from './v1-objects.ts';
import { disruptionBudgetRules } from './validation.ts';

const policy = group('policy', 'v1');

export const policyResources: readonly ResourceDefinition[] = [
  policy<PodDisruptionBudget>({
    resource: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    shortNames: ['pdb'],
    subresources: { status: own },
    strategy: { ...disruptionBudgetRules, generation: true, unconditionalUpdate: false },
    table: podDisruptionBudgetTable,
  }),
];
