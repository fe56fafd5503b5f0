// Table columns of PriorityClass.

import type { TableColumns } from '../../definition.ts';
import { age, boolean, integer, table } from '../../table.ts';
import type { PriorityClass } from './v1-objects.ts';

export const priorityClassTable: TableColumns<PriorityClass> = table(
  [integer('Value'), boolean('Global-Default'), 'Age', 'PreemptionPolicy'],
  (priorityClass) => [
    priorityClass.value ?? 0,
    priorityClass.globalDefault ?? false,
    age(priorityClass),
    priorityClass.preemptionPolicy ?? '',
  ],
);
