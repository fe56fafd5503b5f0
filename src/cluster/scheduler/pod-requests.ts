// What a pod requests of a node: the sum of its containers and sidecars, or of its init containers if one of those needs
// more, the requests of the pod as a whole, and its overhead. Of a pod that runs, what its node has allocated counts
// until a resize has been carried out.

import type { Container } from '../../resources/builtin/core/pod/container-objects.ts';
import type { ContainerStatus } from '../../resources/builtin/core/pod/container-status-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { isPodLevel } from '../../resources/builtin/core/pod/resources-defaults.ts';
import { type Amounts, addAmounts, amountsIn, raiseAmounts } from './amounts.ts';

/** What a container is taken to request if it does not say, when nodes are compared: without it, such pods pile up. */
const ASSUMED: Amounts = new Map([
  ['cpu', 100],
  ['memory', 200 * 2 ** 20],
]);

/** The requests of a pod. */
export function podRequests(pod: Pod): Amounts {
  return summed(pod);
}

/** The CPU and memory that a pod is taken to request when nodes are compared. */
export function assumedRequests(pod: Pod, requests: Amounts): Amounts {
  const isWhole = Object.keys(pod.spec?.resources?.requests ?? {}).some(isPodLevel);
  const missing = isWhole ? new Map([...ASSUMED].filter(([name]) => !requests.has(name))) : ASSUMED;
  return missing.size === 0 ? requests : summed(pod, missing);
}

/** @param missing what containers request that do not request it */
function summed({ spec, status }: Pod, missing?: Amounts): Amounts {
  const isInfeasible = status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';
  const requestsOf = (container: Container, statuses: readonly ContainerStatus[] | undefined) =>
    withMissing(containerRequests(container, { statuses, isInfeasible }), missing);
  const total = new Map<string, number>();
  for (const each of spec?.containers ?? []) addAmounts(total, requestsOf(each, status?.containerStatuses));
  const sidecars = new Map<string, number>();
  const starting = new Map<string, number>();
  for (const each of spec?.initContainers ?? []) {
    if (each.restartPolicy === 'Always') {
      const requests = requestsOf(each, status?.initContainerStatuses);
      addAmounts(total, requests);
      addAmounts(sidecars, requests);
      raiseAmounts(starting, sidecars);
    } else {
      const requests = new Map(requestsOf(each, undefined));
      addAmounts(requests, sidecars);
      raiseAmounts(starting, requests);
    }
  }
  raiseAmounts(total, starting);
  for (const [name, amount] of amountsIn(spec?.resources?.requests, isPodLevel)) total.set(name, amount);
  addAmounts(total, amountsIn(spec?.overhead));
  return total;
}

/** What a container requests, or has been allocated if that is more; a resize that cannot be carried out does not count. */
function containerRequests(
  { name, resources }: Container,
  of: { readonly statuses: readonly ContainerStatus[] | undefined; readonly isInfeasible: boolean },
): Amounts {
  const status = of.statuses?.find((each) => each.name === name);
  if (status?.resources === undefined) return amountsIn(resources?.requests);
  const requests = of.isInfeasible ? new Map<string, number>() : amountsIn(resources?.requests);
  raiseAmounts(requests, amountsIn(status.resources.requests));
  raiseAmounts(requests, amountsIn(status.allocatedResources));
  return requests;
}

function withMissing(requests: Amounts, missing: Amounts | undefined): Amounts {
  return missing === undefined ? requests : new Map([...missing, ...requests]);
}
