// Table columns of Lease.

import type { TableColumns } from '../../definition.ts';
import { age, table } from '../../table.ts';
import type { Lease } from './v1-objects.ts';

export const leaseTable: TableColumns<Lease> = table(['Holder', 'Age'], (lease) => [
  lease.spec?.holderIdentity ?? '',
  age(lease),
]);
