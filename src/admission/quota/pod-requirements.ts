// Resource requirements of a whole pod: its containers together, or what its start takes where that is more, and what
// running it costs beside.

import type { ApiObject, Json } from '../../api/object.ts';
import { addQuantities } from '../../api/quantity.ts';
import { listAt, textAt } from '../../resources/value.ts';
import { type Amounts, addAmounts, amountsAt, raiseAmounts } from './amounts.ts';

export type Bound = 'requests' | 'limits';

/** The requests or the limits of a pod. */
export function podRequirements(pod: ApiObject, bound: Bound): Amounts {
  const total = containerRequirements(pod, bound);
  for (const [name, amount] of podLevelAmounts(pod, bound)) total.set(name, amount);
  const overhead = amountsAt(pod, 'spec', 'overhead');
  if (bound === 'requests') return addAmounts(total, overhead);
  // What has no limit gets none by its overhead.
  for (const [name, amount] of overhead) {
    const limit = total.get(name);
    if (limit !== undefined) total.set(name, addQuantities(limit, amount));
  }
  return total;
}

/** What is said for the pod as a whole, in place of the sum of its containers. */
function podLevelAmounts(pod: ApiObject, bound: Bound): Amounts {
  const amounts = amountsAt(pod, 'spec', 'resources', bound);
  for (const name of amounts.keys()) {
    if (name !== 'cpu' && name !== 'memory' && !name.startsWith('hugepages-')) amounts.delete(name);
  }
  return amounts;
}

/**
 * Containers run together, with those that are started first and stay. Others that are started first run alone, beside
 * what stays and was started before them.
 */
function containerRequirements(pod: ApiObject, bound: Bound): Amounts {
  const running: Amounts = new Map();
  const given = grantedAmounts(pod, bound);
  const amountsOf = (container: Json) => {
    const amounts = amountsAt(container, 'resources', bound);
    const granted = given.get(textAt(container, 'name'));
    return granted === undefined ? amounts : raiseAmounts(amounts, granted);
  };
  for (const container of listAt(pod, 'spec', 'containers')) addAmounts(running, amountsOf(container));
  const staying: Amounts = new Map();
  const starting: Amounts = new Map();
  for (const container of listAt(pod, 'spec', 'initContainers')) {
    const amounts = amountsOf(container);
    if (textAt(container, 'restartPolicy') === 'Always') {
      addAmounts(running, amounts);
      raiseAmounts(starting, addAmounts(staying, amounts));
    } else {
      raiseAmounts(starting, addAmounts(amounts, staying));
    }
  }
  return raiseAmounts(running, starting);
}

/** What containers have on their node, by name: more than they ask for while a resize is under way. */
function grantedAmounts(pod: ApiObject, bound: Bound): Map<string, Amounts> {
  const statuses = [...listAt(pod, 'status', 'containerStatuses'), ...listAt(pod, 'status', 'initContainerStatuses')];
  return new Map(
    statuses.map((status) => {
      const amounts = amountsAt(status, 'resources', bound);
      if (bound === 'requests') raiseAmounts(amounts, amountsAt(status, 'allocatedResources'));
      return [textAt(status, 'name'), amounts];
    }),
  );
}
