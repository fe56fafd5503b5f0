// What storage kinds start with.

import { equalJson } from '../../../api/json-equal.ts';
import type { Behaviour } from '../../definition.ts';

/** The generation counts changes alone: a driver that was never changed has none. */
export const csiDriverBehaviour: Partial<Behaviour> = {
  prepareForUpdate: (next, previous) => {
    if (equalJson(next['spec'], previous['spec'])) return;
    next.metadata.generation = (previous.metadata.generation ?? 0) + 1;
  },
};
