// How leases are listed.

import type { TableColumns } from '../../definition.ts';
import { age, table } from '../../table.ts';
import { textAt } from '../../value.ts';

export const leaseTable: TableColumns = table(['Holder', 'Age'], (lease) => [
  textAt(lease, 'spec', 'holderIdentity'),
  age(lease),
]);
