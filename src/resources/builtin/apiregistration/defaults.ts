// Where a service serves an API when its API service does not say.

import type { JsonObject } from '../../../api/object.ts';
import { fillIn, objectAt } from '../../fill-in.ts';

export function apiServiceDefaults(apiService: JsonObject): void {
  const service = objectAt(objectAt(apiService, 'spec'), 'service');
  if (service !== undefined) fillIn(service, { port: 443 });
}
