// Rules that are loaded before an object of their kind is first written: some bring a compiler of expressions along,
// and a server that starts is not to wait for what it may never need.

import type { ApiObject } from '../api/object.ts';
import { NONE } from '../base/findings.ts';
import type { KindRules, Strategy } from './definition.ts';

type Rules<T> = Partial<Pick<KindRules<T>, 'validate' | 'validateCreate' | 'validateUpdate' | 'validateStatusUpdate'>>;

/** The rules that `load` gives. Every write of an object of the kind awaits the strategy's `load` before. */
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
