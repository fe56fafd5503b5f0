// How priority classes are listed.

import type { TableColumns } from '../../definition.ts';
import { age, boolean, integer, table } from '../../table.ts';
import { at, numberAt, textAt } from '../../value.ts';

export const priorityClassTable: TableColumns = table(
  [integer('Value'), boolean('Global-Default'), 'Age', 'PreemptionPolicy'],
  (priorityClass) => [
    numberAt(priorityClass, 'value'),
    at(priorityClass, 'globalDefault') ?? false,
    age(priorityClass),
    textAt(priorityClass, 'preemptionPolicy'),
  ],
);
