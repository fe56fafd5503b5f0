// Admission of pods by a simulated kubelet: whether a pod that was bound to its node fits there.

import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { computedQosClass } from '../../resources/builtin/core/pod/quality-of-service.ts';
import { hasPressure, PRESSURE_CONDITIONS, PRESSURES } from './node-script.ts';
import { amountOf, podRequest } from './pod-amounts.ts';

interface Rejection {
  readonly reason: string;
  readonly message: string;
}

const FIRST = ['cpu', 'memory', 'ephemeral-storage'];
const SYSTEM_CRITICAL = 2_000_000_000;
const MEMORY_PRESSURE = 'node.kubernetes.io/memory-pressure';

/** Whether a pod is so important that the node makes no difference. */
export function isCritical({ spec }: Pod): boolean {
  return (spec?.priority ?? 0) >= SYSTEM_CRITICAL;
}

/** The other pods that a node has admitted and that have not ended. */
export interface AdmittedPods {
  readonly count: number;
  /** What they ask for together. */
  requested(resource: string): bigint;
}

/** Why a node rejects a pod; undefined if it does not. */
export function rejectionOf(pod: Pod, node: Node, others: AdmittedPods): Rejection | undefined {
  return pressureRejection(pod, node) ?? insufficientResource(pod, node, others);
}

function insufficientResource(pod: Pod, { status }: Node, others: AdmittedPods): Rejection | undefined {
  const allocatable = status?.allocatable ?? {};
  const most = amountOf('pods', allocatable['pods']);
  if (BigInt(others.count) + 1n > most) {
    return insufficient('pods', { requested: 1n, used: BigInt(others.count), capacity: most });
  }
  for (const resource of new Set([...FIRST, ...Object.keys(allocatable)])) {
    const requested = podRequest(pod, resource);
    if (requested === 0n || resource === 'pods') continue;
    const capacity = amountOf(resource, allocatable[resource]);
    const used = others.requested(resource);
    if (requested > capacity - used) return insufficient(resource, { requested, used, capacity });
  }
  return undefined;
}

function insufficient(
  resource: string,
  { requested, used, capacity }: { readonly requested: bigint; readonly used: bigint; readonly capacity: bigint },
): Rejection {
  const amounts = `requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return { reason: `OutOf${resource}`, message: `Node didn't have enough resource: ${resource}, ${amounts}` };
}

/** A node that is short of something admits only critical pods; one short of memory, pods that ask for some as well. */
function pressureRejection(pod: Pod, node: Node): Rejection | undefined {
  const pressures = PRESSURES.filter((pressure) => hasPressure(node, pressure));
  if (pressures.length === 0 || isCritical(pod)) return undefined;
  if (pressures.length === 1 && pressures[0] === 'memory') {
    if (computedQosClass(pod) !== 'BestEffort') return undefined;
    if ((pod.spec?.tolerations ?? []).some(({ key }) => key === MEMORY_PRESSURE)) return undefined;
  }
  const conditions = pressures.map((pressure) => PRESSURE_CONDITIONS[pressure]).join(' ');
  return { reason: 'Evicted', message: `The node had condition: [${conditions}]. ` };
}
