// Quality-of-service class of a pod, derived from its CPU and memory requests and limits.

import { ownMember } from '../../../../api/own-member.ts';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../../api/quantity.ts';
import type { StrategyContext } from '../../../definition.ts';
import { compareAmounts, isPositiveAmount } from '../../../validation/quantities.ts';
import type { ResourceRequirements } from './container-objects.ts';
import type { Pod } from './objects.ts';
import { asksAsWhole } from './resources-defaults.ts';

const COUNTED = ['cpu', 'memory'] as const;
const ZERO = parseQuantity('0');

type Kind = 'requests' | 'limits';

type Rules = Partial<Pick<StrategyContext, 'gateEnabled'>>;

/** The QoS class in a pod's status, which its creator may set; otherwise the computed one. */
export function qosClass(pod: Pod, rules: Rules = {}): string {
  return pod.status?.qosClass || computedQosClass(pod, rules);
}

/** `Guaranteed`, `Burstable` or `BestEffort`, by the rules of the Kubernetes documentation on pod QoS. */
export function computedQosClass(pod: Pod, { gateEnabled }: Rules = {}): string {
  const { spec = {} } = pod;
  const needsAny = gateEnabled?.('PodLevelResourcesFixKubeletQOSClass') === true;
  // Pod-level resources count instead of those of containers.
  const levels =
    spec.resources !== undefined && (!needsAny || asksAsWhole(spec))
      ? [spec]
      : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  let asked = false;
  let guaranteed = true;
  for (const name of COUNTED) {
    const requests = amounts(levels, 'requests', name);
    const limits = amounts(levels, 'limits', name);
    asked ||= requests.length + limits.length > 0;
    guaranteed &&= limits.length === levels.length && isSameTotal(requests, limits);
  }
  if (!asked) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

interface HasResources {
  readonly resources?: ResourceRequirements;
}

/** The nonzero values of each level. */
function amounts(levels: readonly HasResources[], kind: Kind, name: string): string[] {
  const found: string[] = [];
  for (const level of levels) {
    const text = ownMember(level.resources?.[kind], name) ?? '';
    if (text !== '' && isPositiveAmount(text)) found.push(text);
  }
  return found;
}

function isSameTotal(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 1 && other.length === 1) return compareAmounts(one[0] as string, other[0] as string) === 0;
  return compareQuantities(total(one), total(other)) === 0;
}

function total(quantities: readonly string[]): Quantity {
  return quantities.map(parseQuantity).reduce(addQuantities, ZERO);
}
