// What an API service starts with: one without a service is this server's own, and available at once.

import { type Condition, setCondition } from '../../conditions.ts';
import type { Behaviour } from '../../definition.ts';
import { at, isObject } from '../../value.ts';

export const apiServiceBehaviour: Partial<Behaviour> = {
  prepareForCreate: (apiService) => {
    const local = !isObject(at(apiService, 'spec', 'service'));
    apiService['status'] = {};
    if (local) setCondition(apiService, LOCALLY_AVAILABLE, apiService.metadata.creationTimestamp ?? '');
  },
};

/** The condition of a group that this server serves itself. */
export const LOCALLY_AVAILABLE: Condition = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};
