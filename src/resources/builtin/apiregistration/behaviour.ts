// What an API service starts with: one without a service is this server's own, and available at once.

import type { ApiObject, JsonObject } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { at, isObject } from '../../value.ts';

export const apiServiceBehaviour: Partial<Behaviour> = {
  prepareForCreate: (apiService) => {
    const local = !isObject(at(apiService, 'spec', 'service'));
    apiService['status'] = local ? { conditions: [locallyAvailable(apiService)] } : {};
  },
};

/** The condition of a group that this server serves itself, as of the object's creation. */
export function locallyAvailable({ metadata }: ApiObject): JsonObject {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: metadata.creationTimestamp ?? null,
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}
