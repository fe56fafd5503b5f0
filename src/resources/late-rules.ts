// Strategies that are loaded before the first write of their kind: some include the CEL compiler, which startup should
// not wait for.

import type { ApiObject } from '../api/object.ts';
import { NONE } from '../base/findings.ts';
import type { KindRules, Strategy } from './definition.ts';

type Rules<T> = Partial<Pick<KindRules<T>, 'validate' | 'validateCreate' | 'validateUpdate' | 'validateStatusUpdate'>>;

/**
 * A strategy that delegates to the one that `load` returns. Every write of an object of the kind awaits the strategy's
 * `load` first.
 */
export function lateRules<T = ApiObject>(load: () => Promise<Rules<T>>): Rules<T> & Pick<Strategy, 'load'> {
  let loaded: Rules<T> | undefined;
  const rules = (): Rules<T> => {
    if (loaded === undefined) throw new Error('validation rules used before they were loaded');
    return loaded;
  };
  return {
    load: async () => {
      loaded ??= await load();
    },
    validate: (...of) => rules().validate?.(...of) ?? NONE,
    validateCreate: (...of) => rules().validateCreate?.(...of) ?? NONE,
    validateUpdate: (...of) => rules().validateUpdate?.(...of) ?? NONE,
    validateStatusUpdate: (...of) => rules().validateStatusUpdate?.(...of) ?? NONE,
  };
}
