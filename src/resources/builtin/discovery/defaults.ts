// Defaults of EndpointSlice.

import type { Draft } from '../../../api/object.ts';
import { fillIn } from '../../fill-in.ts';
import type { EndpointSlice } from './v1-objects.ts';

export function endpointSliceDefaults(slice: Draft<EndpointSlice>): void {
  for (const port of slice.ports ?? []) fillIn(port, { name: '', protocol: 'TCP' });
}
