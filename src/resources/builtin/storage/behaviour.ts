// What storage kinds start with.

import type { Behaviour } from '../../definition.ts';
import { addFinalizer } from '../../finalizer.ts';

export const attributesClassBehaviour: Partial<Behaviour> = {
  prepareForCreate: (attributesClass) => addFinalizer(attributesClass, 'kubernetes.io/vac-protection'),
};
