// Resource requirements of a whole pod: the sum of its containers, or what its initialization takes if that is more,
// plus its overhead.

import type { ApiObject, Json } from '../../api/object.ts';
import { addQuantities } from '../../api/quantity.ts';
import { listAt, textAt } from '../../resources/value.ts';
import { type Amounts, addAmounts, amountsAt, raiseAmounts } from './amounts.ts';

export type Bound = 'requests' | 'limits';

/** The requests or limits of a pod. */
export function podRequirements(pod: ApiObject, bound: Bound): Amounts {
  const total = containerRequirements(pod, bound);
  for (const [name, amount] of podLevelAmounts(pod, bound)) total.set(name, amount);
  const overhead = amountsAt(pod, 'spec', 'overhead');
  if (bound === 'requests') return addAmounts(total, overhead);
  // Overhead does not add limits where there are none.
  for (const [name, amount] of overhead) {
    const limit = total.get(name);
    if (limit !== undefined) total.set(name, addQuantities(limit, amount));
  }
  return total;
}

/** Pod-level resources, instead of the sum of its containers. */
function podLevelAmounts(pod: ApiObject, bound: Bound): Amounts {
  const amounts = amountsAt(pod, 'spec', 'resources', bound);
  for (const name of amounts.keys()) {
    if (name !== 'cpu' && name !== 'memory' && !name.startsWith('hugepages-')) amounts.delete(name);
  }
  return amounts;
}

/**
 * Containers run concurrently, together with sidecars. Other init containers run alone, next to sidecars that were
 * started before.
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

/** Allocated resources by container name: more than requested while a resize is in progress. */
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
