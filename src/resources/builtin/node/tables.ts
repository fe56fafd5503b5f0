// Table columns of RuntimeClass.

import type { TableColumns } from '../../definition.ts';
import { age, table } from '../../table.ts';
import type { RuntimeClass } from './v1-objects.ts';

export const runtimeClassTable: TableColumns<RuntimeClass> = table(['Handler', 'Age'], (runtimeClass) => [
  runtimeClass.handler ?? '',
  age(runtimeClass),
]);
