// How disruption budgets are listed.

import type { TableColumns } from '../../definition.ts';
import { age, integer, table } from '../../table.ts';
import { numberAt, textAt } from '../../value.ts';

export const podDisruptionBudgetTable: TableColumns = table(
  ['Min Available', 'Max Unavailable', integer('Allowed Disruptions'), 'Age'],
  (budget) => [
    textAt(budget, 'spec', 'minAvailable') || 'N/A',
    textAt(budget, 'spec', 'maxUnavailable') || 'N/A',
    numberAt(budget, 'status', 'disruptionsAllowed'),
    age(budget),
  ],
);
