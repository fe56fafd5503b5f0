// How runtime classes are listed.

import type { TableColumns } from '../../definition.ts';
import { age, table } from '../../table.ts';
import { textAt } from '../../value.ts';

export const runtimeClassTable: TableColumns = table(['Handler', 'Age'], (runtimeClass) => [
  textAt(runtimeClass, 'handler'),
  age(runtimeClass),
]);
