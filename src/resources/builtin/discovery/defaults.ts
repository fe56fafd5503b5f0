// What a slice of endpoints says of its ports when it does not say.

import type { Draft } from '../../../api/object.ts';
import { fillIn } from '../../fill-in.ts';
import type { EndpointSlice } from './v1-objects.ts';

export function endpointSliceDefaults(slice: Draft<EndpointSlice>): void {
  for (const port of slice.ports ?? []) fillIn(port, { name: '', protocol: 'TCP' });
}
