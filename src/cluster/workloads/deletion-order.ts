// The order in which pods of a ReplicaSet are deleted when it is scaled down: those that would be missed least come
// first. Kubernetes' rules.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { isReady } from '../pod-facts.ts';

const COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASES: ReadonlyMap<string, number> = new Map([
  ['Pending', 0],
  ['Unknown', 1],
  ['Running', 2],
]);

/**
 * Pods in the order of their deletion.
 *
 * @param related pods of all ReplicaSets of the same owner: the more of them are ready on a node, the earlier its pods go
 */
export function inDeletionOrder(
  pods: readonly Pod[],
  { related, nowMs }: { readonly related: readonly Pod[]; readonly nowMs: number },
): Pod[] {
  const onNodes = new Map<string, number>();
  for (const pod of related) {
    const node = pod.spec?.nodeName ?? '';
    if (isReady(pod) && node !== '') onNodes.set(node, (onNodes.get(node) ?? 0) + 1);
  }
  const neighbours = (pod: Pod) => onNodes.get(pod.spec?.nodeName ?? '') ?? 0;
  const before = (one: Pod, other: Pod): number =>
    Number(isAssigned(one)) - Number(isAssigned(other)) ||
    phaseOf(one) - phaseOf(other) ||
    Number(isReady(one)) - Number(isReady(other)) ||
    costOf(one) - costOf(other) ||
    neighbours(other) - neighbours(one) ||
    (isReady(one) ? youngerFirst(one, other, { of: readySince, nowMs }) : 0) ||
    restarts(other, 'containerStatuses') - restarts(one, 'containerStatuses') ||
    restarts(other, 'initContainerStatuses') - restarts(one, 'initContainerStatuses') ||
    youngerFirst(one, other, { of: createdAt, nowMs });
  return [...pods].sort(before);
}

function isAssigned({ spec }: Pod): boolean {
  return (spec?.nodeName ?? '') !== '';
}

function phaseOf({ status }: Pod): number {
  return PHASES.get(status?.phase ?? '') ?? 0;
}

/** An invalid cost counts as none. */
function costOf({ metadata }: Pod): number {
  const cost = metadata.annotations?.[COST] ?? '';
  return /^(0|-?[1-9]\d*)$/.test(cost) && Math.abs(Number(cost)) <= 2 ** 31 - 1 ? Number(cost) : 0;
}

/** Of initial containers, only sidecars count. */
function restarts({ spec, status }: Pod, list: 'containerStatuses' | 'initContainerStatuses'): number {
  const sidecars = new Set(
    (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const counted = (status?.[list] ?? []).filter(({ name }) => list === 'containerStatuses' || sidecars.has(name));
  return Math.max(0, ...counted.map(({ restartCount = 0 }) => restartCount));
}

function readySince({ status }: Pod): number {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.lastTransitionTime ? Date.parse(ready.lastTransitionTime) : 0;
}

function createdAt({ metadata }: Pod): number {
  return metadata.creationTimestamp === undefined ? 0 : Date.parse(metadata.creationTimestamp);
}

/** Ages are compared by their order of magnitude; pods of the same one by UID, which is as good as random. */
function youngerFirst(
  one: Pod,
  other: Pod,
  { of, nowMs }: { readonly of: (pod: Pod) => number; readonly nowMs: number },
): number {
  const [first, second] = [of(one), of(other)];
  if (first === second) return 0;
  const difference = magnitude(nowMs - first) - magnitude(nowMs - second);
  if (difference !== 0) return difference;
  return (one.metadata.uid ?? '') < (other.metadata.uid ?? '') ? -1 : 1;
}

/** The binary order of magnitude of an age, in nanoseconds as in Kubernetes. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}
