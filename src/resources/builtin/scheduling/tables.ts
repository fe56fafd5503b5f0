// How priority classes are listed.

import type { TableColumns } from '../../definition.ts';
import { age, boolean, integer, table } from '../../table.ts';
import { at, numberAt, textAt } from '../../value.ts';

export const priorityClassTable: TableColumns = table(
  [integer('Value'), boolean('Global-Default'), 'Age', 'PreemptionPolicy'],
  (priorityClass, nowMs) => [
    numberAt(priorityClass, 'value'),
    at(priorityClass, 'globalDefault') ?? false,
    age(priorityClass, nowMs),
    textAt(priorityClass, 'preemptionPolicy'),
  ],
);
