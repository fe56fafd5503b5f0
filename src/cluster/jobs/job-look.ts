// What a look at a Job and its pods finds: how many have succeeded and failed, and whether the Job has ended, and why.
// Reasons, messages and their order are Kubernetes'.

import { copyJson } from '../../api/json-writer.ts';
import type { Draft } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { Job, JobCondition, JobStatus } from '../../resources/builtin/batch/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { findCondition, isSetTrue } from '../conditions.ts';
import { hasEnded, isActive, isReady } from '../pod-facts.ts';
import { IndexRanges } from './index-ranges.ts';
import {
  allFailuresBefore,
  endedAtMs,
  failuresBefore,
  hasFailed,
  hasSucceeded,
  hasValidIndex,
  indexOf,
  isIndexed,
  isTracked,
  limitsEachIndex,
} from './job-pods.ts';
import { earlySuccess, failureVerdict } from './pod-failure-policy.ts';

/** Why a Job ends: first as an interim condition, then, when its pods have gone, as a final one. */
export interface Ending {
  readonly succeeds: boolean;
  readonly reason: string;
  readonly message: string;
}

/** Mutable: what the look changes is counted too. */
export interface JobLook {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly nowMs: number;
  /** To be written; conditions and counts are added. */
  readonly status: Draft<JobStatus>;
  readonly active: readonly Pod[];
  /** Pods that have ended and are not counted yet. */
  readonly newSucceeded: readonly Pod[];
  readonly newFailed: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  /** Indexes that were known to have completed before. */
  readonly completedBefore: IndexRanges;
  readonly completed: IndexRanges;
  readonly failedIndexes: IndexRanges | undefined;
  /** Failed pods that stay until they are replaced, because the next pod of their index continues their count. */
  readonly awaiting: ReadonlyMap<number, Pod>;
  ready: number;
  terminating: number;
}

const POLICY = 'PodFailurePolicy';

export function isFinished({ status }: Job): boolean {
  return isSetTrue(status?.conditions, 'Complete') || isSetTrue(status?.conditions, 'Failed');
}

export function isSuspended({ spec }: Job): boolean {
  return spec?.suspend === true;
}

export function lookAt(job: Job, pods: readonly Pod[], nowMs: number): JobLook {
  const status = copyJson(job.status ?? {}) as Draft<JobStatus>;
  const uncounted = status.uncountedTerminatedPods ?? {};
  const completions = Number(job.spec?.completions ?? 0);
  const fresh = pods.filter((pod) => isTracked(pod) && hasValidIndex(job, pod));
  const unknown = (list: readonly string[] | undefined) => (pod: Pod) =>
    list?.includes(pod.metadata.uid ?? '') !== true;
  const newSucceeded = fresh.filter((pod) => unknown(uncounted.succeeded)(pod) && hasSucceeded(pod));
  const newFailed = fresh.filter((pod) => unknown(uncounted.failed)(pod) && hasFailed(job, pod));
  const counted = newFailed.filter((pod) => failureVerdict(job, pod).counts);
  const completedBefore = IndexRanges.parse(isIndexed(job) ? status.completedIndexes : '', completions);
  const completed = completedBefore.with(indexesOf(fresh.filter(hasSucceeded)));
  const failedIndexes = limitsEachIndex(job) && isIndexed(job) ? failedIn(job, fresh, completions) : undefined;
  const active = pods.filter(isActive);
  if (status.startTime === undefined && !isSuspended(job)) status.startTime = timestamp(nowMs);
  const sum = (status.succeeded ?? 0) + newSucceeded.length + (uncounted.succeeded?.length ?? 0);
  return {
    ...{ job, pods, nowMs, active, newSucceeded, newFailed, completedBefore, completed, failedIndexes },
    status: { ...status, uncountedTerminatedPods: uncounted },
    succeeded: isIndexed(job) ? completed.size : sum,
    failed: (status.failed ?? 0) + counted.length + (uncounted.failed?.length ?? 0),
    awaiting:
      failedIndexes === undefined ? new Map() : awaitingIn(job, { fresh, active, done: completed.with(failedIndexes) }),
    ready: active.filter(isReady).length,
    terminating: pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod)).length,
  };
}

function indexesOf(pods: readonly Pod[]): IndexRanges {
  return IndexRanges.of(pods.flatMap((pod) => indexOf(pod) ?? []));
}

function failedIn(job: Job, fresh: readonly Pod[], completions: number): IndexRanges {
  const failed = fresh.filter((pod) => {
    if (!hasFailed(job, pod)) return false;
    const { counts, failsIndex } = failureVerdict(job, pod);
    return failsIndex || (counts && failuresBefore(pod) >= (job.spec?.backoffLimitPerIndex ?? 0));
  });
  return IndexRanges.parse(job.status?.failedIndexes, completions).with(indexesOf(failed));
}

function awaitingIn(
  job: Job,
  {
    fresh,
    active,
    done,
  }: { readonly fresh: readonly Pod[]; readonly active: readonly Pod[]; readonly done: IndexRanges },
): ReadonlyMap<number, Pod> {
  const running = new Set(active.map(indexOf));
  const found = new Map<number, Pod>();
  for (const pod of fresh) {
    const index = indexOf(pod);
    if (index === undefined || !hasFailed(job, pod) || done.has(index) || running.has(index)) continue;
    const before = found.get(index);
    const isLater =
      before === undefined ||
      (allFailuresBefore(before) <= allFailuresBefore(pod) && endedAtMs(pod) >= endedAtMs(before));
    if (isLater) found.set(index, pod);
  }
  return found;
}

/** Why a Job ends, other than by all of its completions; undefined if it goes on. */
export function endingOf(look: JobLook): Ending | undefined {
  const { job, pods, completed, status } = look;
  const met = isSetTrue(status.conditions, 'SuccessCriteriaMet')
    ? findCondition(status.conditions, 'SuccessCriteriaMet')
    : undefined;
  if (met !== undefined) return { succeeds: true, reason: met.reason ?? '', message: met.message ?? '' };
  const doomed = isSetTrue(status.conditions, 'FailureTarget')
    ? findCondition(status.conditions, 'FailureTarget')
    : undefined;
  if (doomed !== undefined) return failing(doomed.reason ?? '', doomed.message ?? '');
  const byPolicy = pods
    .filter((pod) => hasFailed(job, pod))
    .map((pod) => failureVerdict(job, pod).failsJob)
    .find((message) => message !== undefined);
  if (byPolicy !== undefined) return failing(POLICY, byPolicy);
  return limitReached(look) ?? (isIndexed(job) ? (indexLimitReached(look) ?? successBy(job, completed)) : undefined);
}

function failing(reason: string, message: string): Ending {
  return { succeeds: false, reason, message };
}

function successBy(job: Job, completed: IndexRanges): Ending | undefined {
  const message = earlySuccess(job, completed);
  return message === undefined ? undefined : { succeeds: true, reason: 'SuccessPolicy', message };
}

function limitReached({ job, pods, failed, status, nowMs }: JobLook): Ending | undefined {
  const limit = job.spec?.backoffLimit ?? 6;
  if (failed > limit || restartsExceed(job, pods, limit)) {
    return failing('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const endMs = deadlineMs(job, status);
  if (endMs === undefined || nowMs < endMs) return undefined;
  return failing('DeadlineExceeded', 'Job was active longer than specified deadline');
}

/** When a Job has been active for too long; undefined if it may be for ever. */
export function deadlineMs(job: Job, { startTime }: Draft<JobStatus>): number | undefined {
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || seconds === null || startTime === undefined || isSuspended(job)) return undefined;
  return Date.parse(startTime) + Number(seconds) * 1000;
}

/** Containers that are restarted in their pods count as failures too. */
function restartsExceed({ spec }: Job, pods: readonly Pod[], limit: number): boolean {
  if (spec?.template?.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue;
    const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    for (const { restartCount = 0 } of all) restarts += restartCount;
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function indexLimitReached({ job, completed, failedIndexes }: JobLook): Ending | undefined {
  const failed = failedIndexes?.size ?? 0;
  const { maxFailedIndexes, completions } = job.spec ?? {};
  if (maxFailedIndexes !== undefined && maxFailedIndexes !== null && failed > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failing('MaxFailedIndexesExceeded', message);
  }
  if (failed === 0 || failed + completed.size < (completions ?? 0)) return undefined;
  return failing('FailedIndexes', 'Job has failed indexes');
}

/** The conditions with this one, which is not added if it is False; undefined if nothing changes. */
export function withJobCondition(
  conditions: readonly JobCondition[] | undefined,
  { type, status, reason, message }: Record<'type' | 'status' | 'reason' | 'message', string>,
  nowMs: number,
): JobCondition[] | undefined {
  const before = findCondition(conditions, type);
  if (before === undefined && status === 'False') return undefined;
  if (before?.status === status && before.reason === reason && before.message === message) return undefined;
  const now = timestamp(nowMs);
  const next = { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
  return before === undefined
    ? [...(conditions ?? []), next]
    : (conditions ?? []).map((each) => (each === before ? next : each));
}
