// Table columns of PodDisruptionBudget.

import type { TableColumns } from '../../definition.ts';
import { age, integer, table } from '../../table.ts';
import type { PodDisruptionBudget } from './v1-objects.ts';

export const podDisruptionBudgetTable: TableColumns<PodDisruptionBudget> = table(
  ['Min Available', 'Max Unavailable', integer('Allowed Disruptions'), 'Age'],
  (budget) => [
    String(budget.spec?.minAvailable ?? 'N/A'),
    String(budget.spec?.maxUnavailable ?? 'N/A'),
    budget.status?.disruptionsAllowed ?? 0,
    age(budget),
  ],
);
