// Strategies of storage kinds.

import { equalJson } from '../../../api/json-equal.ts';
import type { KindRules } from '../../definition.ts';
import type { CSIDriver } from './v1-objects.ts';

/** The generation only counts changes: a driver that was never changed has none. */
export const csiDriverStrategy: KindRules<CSIDriver> = {
  prepareForUpdate: (next, previous) => {
    if (equalJson(next['spec'], previous['spec'])) return;
    next.metadata.generation = (previous.metadata.generation ?? 0) + 1;
  },
};
