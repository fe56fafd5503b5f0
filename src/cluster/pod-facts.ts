// Facts about pods that controllers, the scheduler and nodes share, by Kubernetes' rules.

import type { Node } from '../resources/builtin/core/node/objects.ts';
import type { Pod } from '../resources/builtin/core/pod/objects.ts';
import { isSetTrue } from './conditions.ts';

/** Whether a pod has ended for good. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Whether a pod counts as one that runs or will run: it has neither ended nor is it being deleted. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether the condition Ready of a pod or node holds. */
export function isReady({ status }: Pick<Pod | Node, 'status'>): boolean {
  return isSetTrue(status?.conditions, 'Ready');
}

/**
 * In how many milliseconds a pod will be available, having been ready for so long: 0 if it is now, undefined if it is not
 * even ready.
 */
export function availableInMs(pod: Pod, minReadySeconds: number, nowMs: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const condition = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  if (condition?.lastTransitionTime === undefined || condition.lastTransitionTime === null) return undefined;
  return Math.max(0, Date.parse(condition.lastTransitionTime) + minReadySeconds * 1000 - nowMs);
}

/** Whether a pod has been ready for so many seconds. */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  return availableInMs(pod, minReadySeconds, nowMs) === 0;
}
