// Strategies that are loaded before the first write of their kind: some include the CEL compiler, which startup should
// not wait for.

import type { ApiObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { NONE } from '../base/findings.ts';
import type { KindRules, Strategy } from './definition.ts';

type Rules<T> = Pick<KindRules<T>, 'validate' | 'validateCreate' | 'validateUpdate' | 'subresources'>;

/**
 * A strategy that delegates to the one that `load` returns. Every write of an object of the kind awaits the strategy's
 * `load` first.
 *
 * @param subresources those with rules of their own among what is loaded
 */
export function lateRules<T = ApiObject>(
  load: () => Promise<Rules<T>>,
  ...subresources: readonly string[]
): Rules<T> & Pick<Strategy, 'load'> {
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
    subresources: Object.fromEntries(
      subresources.map((name) => [
        name,
        { validateUpdate: (...of) => ownMember(rules().subresources, name)?.validateUpdate?.(...of) ?? NONE },
      ]),
    ),
  };
}
