// Table columns of EndpointSlice.

import type { TableColumns } from '../../definition.ts';
import { age, some, table, UNSET } from '../../table.ts';
import type { EndpointSlice } from './v1-objects.ts';

export const endpointSliceTable: TableColumns<EndpointSlice> = table(
  ['AddressType', 'Ports', 'Endpoints', 'Age'],
  (slice) => {
    const ports = (slice.ports ?? []).map((port) => String(port.port ?? port.name ?? '*'));
    const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    return [slice.addressType ?? '', some(ports) || UNSET, some(addresses) || UNSET, age(slice)];
  },
);
