// What a slice of endpoints says of its ports when it does not say.

import type { JsonObject } from '../../../api/object.ts';
import { fillIn, objectsAt } from '../../fill-in.ts';

export function endpointSliceDefaults(slice: JsonObject): void {
  for (const port of objectsAt(slice, 'ports')) fillIn(port, { name: '', protocol: 'TCP' });
}
