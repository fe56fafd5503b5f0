// Sizes of the ReplicaSets of a Deployment: how many replicas may be added and taken away during a rollout, and how a
// change of the Deployment's size is shared among ReplicaSets. The rules are Kubernetes'.

import type { Deployment, ReplicaSet } from '../../resources/builtin/apps/v1-objects.ts';
import { scaledValue } from '../int-or-percent.ts';
import { desiredOf, maximumOf, olderFirst } from './deployment-revisions.ts';

/** The new size of a ReplicaSet. */
export interface Resize {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

export function replicasOf({ spec }: Deployment | ReplicaSet): number {
  return spec?.replicas ?? 1;
}

/** The sum of the sizes that ReplicaSets are to have. */
export function totalOf(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + replicasOf(set), 0);
}

export function availableOf(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0);
}

export function isRolling({ spec }: Deployment): boolean {
  return spec?.strategy?.type === 'RollingUpdate';
}

/** How many replicas a rollout may add; rounded up. */
export function maxSurge(deployment: Deployment): number {
  if (!isRolling(deployment)) return 0;
  return scaledValue(deployment.spec?.strategy?.rollingUpdate?.maxSurge ?? 0, replicasOf(deployment), true);
}

/** How many replicas may be missing during a rollout; rounded down, and one if neither that nor a surge is left. */
export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  const given = scaledValue(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable ?? 0, replicas, false);
  return Math.min(given === 0 && maxSurge(deployment) === 0 ? 1 : given, replicas);
}

/** The size of the current ReplicaSet as far as the rollout may have it by now. */
export function sizeOfCurrent(deployment: Deployment, current: ReplicaSet, all: readonly ReplicaSet[]): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurge(deployment) - totalOf(all);
  const size = replicasOf(current);
  return room <= 0 ? size : size + Math.min(room, replicas - size);
}

/**
 * Steps of a rollout that make old ReplicaSets smaller: first replicas that are not available anyway, then as many as
 * the available ones of all ReplicaSets allow.
 */
export function shrinkOld(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): Resize[] {
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  const unavailable = replicasOf(current) - (current.status?.availableReplicas ?? 0);
  const most = totalOf([...old, current]) - minAvailable - unavailable;
  if (totalOf(old) === 0 || most <= 0) return [];
  const sizes = new Map(old.map((set) => [set, replicasOf(set)]));
  const oldest = [...old].sort(olderFirst);
  let left = most;
  for (const set of oldest) {
    const size = replicasOf(set);
    const taken = Math.max(0, Math.min(left, size - (set.status?.availableReplicas ?? 0)));
    sizes.set(set, size - taken);
    left -= taken;
  }
  let spare = availableOf([...old, current]) - minAvailable;
  for (const set of oldest) {
    const size = sizes.get(set)!;
    const taken = Math.max(0, Math.min(size, spare));
    sizes.set(set, size - taken);
    spare -= taken;
  }
  return oldest.flatMap((set) => (sizes.get(set) === replicasOf(set) ? [] : [{ set, replicas: sizes.get(set)! }]));
}

/** The sizes of ReplicaSets after that of their Deployment has changed, or while it is paused. */
export function shareScale(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): Resize[] {
  const replicas = replicasOf(deployment);
  const newestFirst = [...old].sort((one, other) => olderFirst(other, one));
  const active = [...newestFirst, ...(current === undefined ? [] : [current])].filter((set) => replicasOf(set) > 0);
  const only = active.length === 0 ? (current ?? newestFirst[0]) : active.length === 1 ? active[0] : undefined;
  if (only !== undefined) return [{ set: only, replicas }];
  if (active.length === 0) return [];
  if (current !== undefined && isSaturated(deployment, current)) {
    return active.filter((set) => set !== current).map((set) => ({ set, replicas: 0 }));
  }
  return isRolling(deployment) ? inProportion(deployment, active) : [];
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const replicas = replicasOf(deployment);
  return [replicasOf(set), desiredOf(set), set.status?.availableReplicas ?? 0].every((count) => count === replicas);
}

function inProportion(deployment: Deployment, active: readonly ReplicaSet[]): Resize[] {
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + maxSurge(deployment) : 0;
  const missing = allowed - totalOf(active);
  const sign = missing > 0 ? -1 : 1;
  const bySize = [...active].sort((one, other) => replicasOf(other) - replicasOf(one) || sign * olderFirst(one, other));
  let shared = 0;
  const resizes = bySize.map((set) => {
    const share = shareOf(deployment, set, { missing, shared });
    shared += share;
    return { set, replicas: replicasOf(set) + share };
  });
  const [largest, ...rest] = resizes;
  if (largest === undefined || missing === 0) return resizes;
  return [{ ...largest, replicas: Math.max(0, largest.replicas + missing - shared) }, ...rest];
}

function shareOf(
  deployment: Deployment,
  set: ReplicaSet,
  { missing, shared }: { readonly missing: number; readonly shared: number },
): number {
  const size = replicasOf(set);
  if (size === 0 || missing === 0 || missing === shared) return 0;
  const left = missing - shared;
  const fraction = fractionOf(deployment, set, size);
  return missing > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

function fractionOf(deployment: Deployment, set: ReplicaSet, size: number): number {
  const replicas = replicasOf(deployment);
  if (replicas === 0) return -size;
  const before = maximumOf(set) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  const next = (size * (replicas + maxSurge(deployment))) / before;
  return Math.floor(next + 0.5) - size;
}
