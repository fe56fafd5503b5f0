// Strategy of APIService: one without a service belongs to this server and is available immediately.

import { type Condition, setCondition } from '../../conditions.ts';
import type { KindRules } from '../../definition.ts';
import type { APIService } from './v1-objects.ts';

export const apiServiceStrategy: KindRules<APIService> = {
  prepareForCreate: (apiService) => {
    const local = apiService.spec?.service === undefined;
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
