// Strategies of storage kinds.

import { equalJson } from '../../../api/json-equal.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules } from '../../definition.ts';
import type { CSIDriver } from './v1-objects.ts';

const TOKENS_IN_ATTRIBUTES =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

/** The first minor release whose generation counts changes of everything, and what was counted before. */
const COUNTS_ALL = 30;
const COUNTED = ['tokenRequests', 'requiresRepublish', 'seLinuxMount'] as const;

/** The generation only counts changes: a driver that was never changed has none. */
export const csiDriverStrategy: KindRules<CSIDriver> = {
  warnings: ({ spec }, previous, { gateEnabled }) => {
    const requests = spec?.tokenRequests ?? [];
    if (!gateEnabled('CSIServiceAccountTokenSecrets') || requests.length === 0) return [];
    if (spec?.serviceAccountTokenInSecrets !== undefined) return [];
    if (previous !== undefined && equalJson(requests, previous.spec?.tokenRequests ?? [])) return [];
    return [TOKENS_IN_ATTRIBUTES];
  },
  prepareForUpdate: (next, previous, context) => {
    const isSame = isSince(context, COUNTS_ALL)
      ? equalJson(next['spec'], previous['spec'])
      : COUNTED.every((member) => equalJson(next.spec?.[member], previous.spec?.[member]));
    if (isSame) return;
    next.metadata.generation = (previous.metadata.generation ?? 0) + 1;
  },
};
