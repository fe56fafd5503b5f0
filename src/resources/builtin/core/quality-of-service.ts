// A pod's quality-of-service class: what may be evicted first when a node runs short. Derived from requests and limits
// of CPU and memory alone.

import type { Json, JsonObject } from '../../../api/object.ts';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../api/quantity.ts';
import { at, isObject, listAt, textAt } from '../../value.ts';

const COUNTED = ['cpu', 'memory'] as const;
const ZERO = parseQuantity('0');

type Kind = 'requests' | 'limits';

/** `Guaranteed`, `Burstable` or `BestEffort`, by the rules of the Kubernetes documentation on pod QoS. */
export function qosClass(pod: JsonObject): string {
  // Resources of the pod as a whole count in place of its containers'.
  const levels = isObject(at(pod, 'spec', 'resources'))
    ? [at(pod, 'spec')]
    : [...listAt(pod, 'spec', 'containers'), ...listAt(pod, 'spec', 'initContainers')];
  const amounts = (kind: Kind, name: string) => levels.map((level) => amount(level, kind, name)).filter(isPositive);
  const set = COUNTED.map((name) => ({ requests: amounts('requests', name), limits: amounts('limits', name) }));

  if (set.every(({ requests, limits }) => requests.length + limits.length === 0)) return 'BestEffort';
  const guaranteed = set.every(
    ({ requests, limits }) =>
      limits.length === levels.length && compareQuantities(total(requests), total(limits)) === 0,
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function amount(level: Json | undefined, kind: Kind, name: string): Quantity {
  const text = textAt(level, 'resources', kind, name);
  return text === '' ? ZERO : parseQuantity(text);
}

function isPositive(quantity: Quantity): boolean {
  return compareQuantities(quantity, ZERO) > 0;
}

function total(quantities: Quantity[]): Quantity {
  return quantities.reduce(addQuantities, ZERO);
}
