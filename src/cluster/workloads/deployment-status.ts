// The status of a Deployment: counts of its ReplicaSets, and the conditions Available, Progressing and ReplicaFailure.
// Reasons and messages are Kubernetes'.

import type { Draft } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
} from '../../resources/builtin/apps/v1-objects.ts';
import { findCondition } from '../conditions.ts';
import { availableOf, maxUnavailable, replicasOf, totalOf } from './deployment-scaling.ts';

/** The greatest deadline and history limit, which mean none. */
const NO_LIMIT = 2 ** 31 - 1;

const AVAILABLE = 'NewReplicaSetAvailable';
const TIMED_OUT = 'ProgressDeadlineExceeded';
const PAUSED = 'DeploymentPaused';
const PROGRESSING = 'Progressing';
const FAILURE = 'ReplicaFailure';

/** The ReplicaSets of a Deployment. */
export interface Sets {
  /** That of the present template, if it exists. */
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

type Conditions = readonly DeploymentCondition[];

export function hasDeadline({ spec }: Deployment): boolean {
  return (spec?.progressDeadlineSeconds ?? NO_LIMIT) !== NO_LIMIT;
}

/** How many old ReplicaSets to keep; undefined for all. */
export function historyLimit({ spec }: Deployment): number | undefined {
  const limit = spec?.revisionHistoryLimit;
  return limit === NO_LIMIT ? undefined : limit;
}

/** Whether all replicas are of the present template and available. */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const replicas = replicasOf(deployment);
  const { updatedReplicas = 0, replicas: total = 0, availableReplicas = 0, observedGeneration = 0 } = status ?? {};
  const isCounted = [updatedReplicas, total, availableReplicas].every((count) => count === replicas);
  return isCounted && Number(observedGeneration) >= (deployment.metadata.generation ?? 0);
}

/** A condition with the present time. */
export function conditionOf(
  [type, status, reason, message]: readonly [type: string, status: string, reason: string, message: string],
  nowMs: number,
): DeploymentCondition {
  const now = timestamp(nowMs);
  return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message };
}

/** The conditions with this one; an equal status and reason keep what is there. */
export function withDeploymentCondition(conditions: Conditions | undefined, next: DeploymentCondition): Conditions {
  const before = findCondition(conditions, next.type ?? '');
  if (before?.status === next.status && before?.reason === next.reason) return conditions ?? [];
  const kept =
    before?.status === next.status && before?.lastTransitionTime !== undefined
      ? { ...next, lastTransitionTime: before.lastTransitionTime }
      : next;
  return [...without(conditions, next.type ?? ''), kept];
}

function without(conditions: Conditions | undefined, type: string): Conditions {
  return (conditions ?? []).filter((each) => each.type !== type);
}

/** The condition Progressing that a Deployment gets when it was paused or resumed; undefined for no change. */
export function pauseCondition(deployment: Deployment, nowMs: number): DeploymentCondition | undefined {
  if (!hasDeadline(deployment)) return undefined;
  const before = findCondition(deployment.status?.conditions, PROGRESSING)?.reason;
  const isPaused = deployment.spec?.paused === true;
  if (before === TIMED_OUT || isPaused === (before === PAUSED)) return undefined;
  return isPaused
    ? conditionOf([PROGRESSING, 'Unknown', PAUSED, 'Deployment is paused'], nowMs)
    : conditionOf([PROGRESSING, 'Unknown', 'DeploymentResumed', 'Deployment is resumed'], nowMs);
}

/** Counts, and whether the Deployment is available. */
export function countedStatus(deployment: Deployment, { current, old }: Sets, nowMs: number): DeploymentStatus {
  const sets = [...old, ...(current === undefined ? [] : [current])];
  const sum = (name: 'replicas' | 'readyReplicas') => sets.reduce((total, set) => total + (set.status?.[name] ?? 0), 0);
  const available = availableOf(sets);
  const { generation } = deployment.metadata;
  const { collisionCount, conditions } = deployment.status ?? {};
  const isAvailable = available >= replicasOf(deployment) - maxUnavailable(deployment);
  const condition = isAvailable
    ? conditionOf(['Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'], nowMs)
    : conditionOf(
        ['Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'],
        nowMs,
      );
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...{ replicas: sum('replicas'), updatedReplicas: current?.status?.replicas ?? 0 },
    ...{ readyReplicas: sum('readyReplicas'), availableReplicas: available },
    unavailableReplicas: Math.max(0, totalOf(sets) - available),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: withDeploymentCondition(conditions, condition),
  };
}

/** The status during and after a rollout: with progress, or the lack of it, and failures of ReplicaSets. */
export function rolloutStatus(deployment: Deployment, sets: Sets, nowMs: number): DeploymentStatus {
  const counted = countedStatus(deployment, sets, nowMs);
  let conditions: Conditions = counted.conditions ?? [];
  if (!hasDeadline(deployment)) conditions = without(conditions, PROGRESSING);
  const before = findCondition(deployment.status?.conditions, PROGRESSING);
  const isDone = counted.replicas === counted.updatedReplicas && before?.reason === AVAILABLE;
  if (hasDeadline(deployment) && !isDone) conditions = withProgress(deployment, { sets, counted, conditions, nowMs });
  const failure = failureOf(sets);
  conditions = failure === undefined ? without(conditions, FAILURE) : withDeploymentCondition(conditions, failure);
  return { ...counted, conditions };
}

interface Progress {
  readonly sets: Sets;
  readonly counted: DeploymentStatus;
  readonly conditions: Conditions;
  readonly nowMs: number;
}

function withProgress(deployment: Deployment, { sets, counted, conditions, nowMs }: Progress): Conditions {
  const { current } = sets;
  const who =
    current === undefined
      ? `Deployment ${JSON.stringify(deployment.metadata.name)}`
      : `ReplicaSet ${JSON.stringify(current.metadata.name)}`;
  if (isComplete(deployment, counted)) {
    const done = conditionOf([PROGRESSING, 'True', AVAILABLE, `${who} has successfully progressed.`], nowMs);
    return withDeploymentCondition(conditions, done);
  }
  if (hasProgressed(deployment.status, counted)) {
    const next = conditionOf([PROGRESSING, 'True', 'ReplicaSetUpdated', `${who} is progressing.`], nowMs);
    // Its time is that of the latest progress, even if the condition says the same.
    const before = findCondition(conditions, PROGRESSING);
    const since = before?.status === 'True' ? { lastTransitionTime: before.lastTransitionTime ?? null } : {};
    return [...without(conditions, PROGRESSING), { ...next, ...since }];
  }
  if (!isTimedOut(deployment, conditions, nowMs)) return conditions;
  const late = conditionOf([PROGRESSING, 'False', TIMED_OUT, `${who} has timed out progressing.`], nowMs);
  return withDeploymentCondition(conditions, late);
}

function hasProgressed(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  const was = before ?? {};
  return (
    (after.updatedReplicas ?? 0) > (was.updatedReplicas ?? 0) ||
    old(after) < old(was) ||
    (after.readyReplicas ?? 0) > (was.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (was.availableReplicas ?? 0)
  );
}

function isTimedOut(deployment: Deployment, conditions: Conditions, nowMs: number): boolean {
  const condition = findCondition(conditions, PROGRESSING);
  if (condition === undefined || condition.reason === AVAILABLE) return false;
  return condition.reason === TIMED_OUT || deadlineMs(deployment, condition) < nowMs;
}

function deadlineMs({ spec }: Deployment, { lastUpdateTime }: DeploymentCondition): number {
  return Date.parse(lastUpdateTime ?? '') + (spec?.progressDeadlineSeconds ?? 0) * 1000;
}

/** In how many milliseconds the lack of progress has to be judged; undefined if it need not be. */
export function nextJudgementMs(deployment: Deployment, status: DeploymentStatus, nowMs: number): number | undefined {
  const condition = findCondition(status.conditions, PROGRESSING);
  if (!hasDeadline(deployment) || condition === undefined || isComplete(deployment, status)) return undefined;
  if (condition.reason === TIMED_OUT) return undefined;
  // A second more, so that the deadline has passed by then.
  return Math.max(0, deadlineMs(deployment, condition) - nowMs) + 1000;
}

/** The failure of a ReplicaSet, of the current one first. */
function failureOf({ current, old }: Sets): DeploymentCondition | undefined {
  for (const set of [current, ...old]) {
    const found = findCondition(set?.status?.conditions, FAILURE);
    if (found !== undefined) return { ...found, lastUpdateTime: found.lastTransitionTime ?? null };
  }
  return undefined;
}

/** Writes counts and conditions to a draft; members that this status does not have are kept. */
export function assignStatus(draft: Draft<Deployment>, status: DeploymentStatus): void {
  draft.status = { ...draft.status, ...(status as Draft<DeploymentStatus>) };
}
