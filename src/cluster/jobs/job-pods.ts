// Facts about the pods of a Job: their index, whether and when they ended, and whether they are counted yet. A pod keeps
// its finalizer until it is counted in the status.

import type { Job } from '../../resources/builtin/batch/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { findCondition } from '../conditions.ts';

export const TRACKING = 'batch.kubernetes.io/job-tracking';
export const INDEX = 'batch.kubernetes.io/job-completion-index';
export const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
export const IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';

export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === 'Indexed';
}

export function limitsEachIndex({ spec }: Job): boolean {
  return spec?.backoffLimitPerIndex !== undefined && spec.backoffLimitPerIndex !== null;
}

/** Whether pods are replaced only once they have ended, rather than when their deletion begins. */
export function replacesFailedOnly({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === 'Failed';
}

/** The index of a pod; undefined for none. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[INDEX] ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether a pod belongs to one of the indexes that a Job still has; all pods do if it has none. */
export function hasValidIndex(job: Job, pod: Pod): boolean {
  if (!isIndexed(job)) return true;
  const index = indexOf(pod);
  return index !== undefined && index < Number(job.spec?.completions ?? 0);
}

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING) === true;
}

export function hasSucceeded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded';
}

/** Whether a pod counts as failed; pods that are being deleted do, unless the Job waits for their end. */
export function hasFailed(job: Job, { metadata, status }: Pod): boolean {
  if (status?.phase === 'Failed') return true;
  return !replacesFailedOnly(job) && metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

/** How many pods of the index failed before this one, as far as they count for its limit. */
export function failuresBefore(pod: Pod): number {
  return countIn(pod, FAILURES);
}

/** The same with those that a rule told to ignore. */
export function allFailuresBefore(pod: Pod): number {
  return countIn(pod, FAILURES) + countIn(pod, IGNORED_FAILURES);
}

export function ignoredFailuresBefore(pod: Pod): number {
  return countIn(pod, IGNORED_FAILURES);
}

function countIn({ metadata }: Pod, name: string): number {
  const text = metadata.annotations?.[name] ?? '';
  return /^\d+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : 0;
}

/** When a pod ended, in milliseconds: by its containers, or else its conditions, its deletion or its creation. */
export function endedAtMs(pod: Pod): number {
  const { metadata, status } = pod;
  const ends = containerEnds(pod);
  if (ends.length > 0 && ends.every((end) => end !== undefined)) return Math.max(...ends);
  const ready = findCondition(status?.conditions, 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = metadata;
  if (deletionTimestamp !== undefined) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp);
}

/** Of the containers and sidecars of a pod; undefined for those that run. */
function containerEnds({ spec, status }: Pod): (number | undefined)[] {
  const sidecars = new Set(
    (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const started = (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name));
  return [...(status?.containerStatuses ?? []), ...started].map(({ state }) => {
    const finishedAt = state?.terminated?.finishedAt;
    return finishedAt ? Date.parse(finishedAt) : undefined;
  });
}
