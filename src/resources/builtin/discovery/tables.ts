// How endpoint slices are listed.

import type { TableColumns } from '../../definition.ts';
import { age, some, table, UNSET } from '../../table.ts';
import { listAt, textAt } from '../../value.ts';

export const endpointSliceTable: TableColumns = table(['AddressType', 'Ports', 'Endpoints', 'Age'], (slice) => {
  const ports = listAt(slice, 'ports').map((port) => textAt(port, 'port') || textAt(port, 'name') || '*');
  const addresses = listAt(slice, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String));
  return [textAt(slice, 'addressType'), some(ports) || UNSET, some(addresses) || UNSET, age(slice)];
});
