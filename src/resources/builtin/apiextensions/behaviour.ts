// What a definition of custom resources starts with.

import type { Behaviour } from '../../definition.ts';
import { listAt, textAt } from '../../value.ts';

export const definitionBehaviour: Partial<Behaviour> = {
  prepareForCreate: (definition) => {
    const stored = listAt(definition, 'spec', 'versions').find((version) => textAt(version, 'storage') === 'true');
    definition['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored === undefined ? null : [textAt(stored, 'name')],
    };
  },
};
