// The consequences of a look at a Job: how many pods are to be active, which ended pods are noted and counted, and the
// conditions of its suspension and its end.

import type { Draft } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { JobStatus } from '../../resources/builtin/batch/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterEvents } from '../event-recorder.ts';
import { isReady } from '../pod-facts.ts';
import { IndexRanges } from './index-ranges.ts';
import { type Backoff, remainingMs } from './job-backoff.ts';
import { deadlineMs, type Ending, isSuspended, type JobLook, withJobCondition } from './job-look.ts';
import {
  allFailuresBefore,
  endedAtMs,
  hasFailed,
  hasSucceeded,
  hasValidIndex,
  indexOf,
  isIndexed,
  isTracked,
  limitsEachIndex,
  replacesFailedOnly,
} from './job-pods.ts';
import { failureVerdict } from './pod-failure-policy.ts';

/** Pods that are noted in a status at a time. Kubernetes' value. */
const NOTED = 500;

/** One look at a Job, and what comes of it. */
export class JobWork {
  readonly look: JobLook;
  readonly #backoff: Backoff;
  activeCount: number;
  /** When to look again, if at all. */
  waitMs: number | undefined;
  #ending: Ending | undefined;
  /** Whether so many pods were noted that the rest has to wait. */
  #isFull = false;

  constructor(look: JobLook, backoff: Backoff) {
    this.look = look;
    this.#backoff = backoff;
    this.activeCount = look.active.length;
    const endMs = deadlineMs(look.job, look.status);
    if (endMs !== undefined) this.waitMs = Math.max(0, endMs - look.nowMs);
  }

  deleted(pods: readonly Pod[]): void {
    this.activeCount -= pods.length;
    this.look.terminating += pods.length;
    this.look.ready -= pods.filter(isReady).length;
  }

  /** How many pods are to be active. */
  wantedPods(): number {
    const { job, active, succeeded } = this.look;
    const { completions, parallelism = 1 } = job.spec ?? {};
    if (completions === undefined || completions === null) return succeeded > 0 ? active.length : Number(parallelism);
    return Math.max(0, Math.min(Number(completions) - succeeded, Number(parallelism)));
  }

  /** Whether failures forbid new pods for now; with limits for each index, that is judged for each of them. */
  mustWait(): boolean {
    const { job, nowMs } = this.look;
    if (limitsEachIndex(job)) return false;
    const restMs = remainingMs(this.#backoff, nowMs);
    if (restMs > 0) this.#waitAtMost(restMs);
    return restMs > 0;
  }

  #waitAtMost(ms: number): void {
    this.waitMs = Math.min(ms, this.waitMs ?? ms);
  }

  pendingIndexes(count: number): number[] {
    const { job, completed, failedIndexes, active, pods, awaiting, nowMs } = this.look;
    const going = replacesFailedOnly(job)
      ? pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      : [];
    const taken = IndexRanges.of([...active, ...going].flatMap((pod) => indexOf(pod) ?? []));
    const done = failedIndexes === undefined ? completed : completed.with(failedIndexes);
    const pending = done.with(taken).missing(count, Number(job.spec?.completions ?? 0));
    if (!limitsEachIndex(job)) return pending;
    const rests = new Map(
      pending.map((index) => {
        const last = awaiting.get(index);
        if (last === undefined) return [index, 0];
        const backoff = { failures: allFailuresBefore(last) + 1, lastFailureMs: endedAtMs(last) };
        return [index, remainingMs(backoff, nowMs)];
      }),
    );
    const ready = pending.filter((index) => rests.get(index) === 0);
    if (ready.length === 0 && pending.length > 0) this.#waitAtMost(Math.min(...rests.values()));
    return ready;
  }

  /** The conditions of suspension and of the end, and the counts of active pods. */
  settle(ending: Ending | undefined, events: ClusterEvents): void {
    const { look } = this;
    const { job, status, nowMs, succeeded } = look;
    const { completions } = job.spec ?? {};
    const isEnough =
      completions === undefined || completions === null ? succeeded > 0 : succeeded >= Number(completions);
    this.#ending = ending;
    if (ending === undefined && isEnough && this.activeCount === 0) {
      const message = 'Reached expected number of succeeded pods';
      this.#ending = { succeeds: true, reason: 'CompletionsReached', message };
    } else if (ending === undefined && job.metadata.deletionTimestamp === undefined) {
      const [state, reason, message] = isSuspended(job)
        ? ['True', 'JobSuspended', 'Job suspended']
        : ['False', 'JobResumed', 'Job resumed'];
      const conditions = withJobCondition(
        status.conditions,
        { type: 'Suspended', status: state!, reason: reason!, message: message! },
        nowMs,
      );
      if (conditions !== undefined) {
        status.conditions = conditions;
        events.record(job, isSuspended(job) ? 'Suspended' : 'Resumed', message!);
        if (!isSuspended(job)) status.startTime = timestamp(nowMs);
      }
    }
    Object.assign(status, { active: this.activeCount, ready: look.ready, terminating: look.terminating });
    if (status.active === 0) delete status.active;
  }

  /** Notes pods that have ended, and the interim condition of the end. @returns pods that can lose their finalizer */
  noteEnded(): Pod[] {
    const { job, pods, status, completed, completedBefore, failedIndexes, nowMs } = this.look;
    const noted = status.uncountedTerminatedPods ?? {};
    const released: Pod[] = [];
    const indexes: number[] = [];
    for (const pod of pods) {
      if (!isTracked(pod)) continue;
      const failed = hasFailed(job, pod);
      if (!this.#canRelease(pod, failed)) continue;
      released.push(pod);
      const uid = pod.metadata.uid ?? '';
      const isKnown = noted.failed?.includes(uid) === true || noted.succeeded?.includes(uid) === true;
      if (isKnown) continue;
      if (hasSucceeded(pod)) {
        const index = indexOf(pod);
        if (!isIndexed(job)) noted.succeeded = [...(noted.succeeded ?? []), uid];
        else if (index !== undefined && hasValidIndex(job, pod) && !completedBefore.has(index)) indexes.push(index);
      } else if ((failed || this.#ending?.succeeds === false) && hasValidIndex(job, pod)) {
        if (failureVerdict(job, pod).counts) noted.failed = [...(noted.failed ?? []), uid];
      }
      this.#isFull = indexes.length + (noted.succeeded?.length ?? 0) + (noted.failed?.length ?? 0) >= NOTED;
      if (this.#isFull) break;
    }
    status.uncountedTerminatedPods = noted;
    if (isIndexed(job)) {
      const all = this.#isFull ? completedBefore.with(IndexRanges.of(indexes)) : completed;
      setOrDelete(status, 'completedIndexes', all.toString());
      if (all.size > 0 || status.succeeded !== undefined) status.succeeded = all.size;
      if (failedIndexes !== undefined) status.failedIndexes = failedIndexes.toString();
    }
    if (this.#ending !== undefined) {
      const { succeeds, reason, message } = this.#ending;
      const type = succeeds ? 'SuccessCriteriaMet' : 'FailureTarget';
      const conditions = withJobCondition(status.conditions, { type, status: 'True', reason, message }, nowMs);
      if (conditions !== undefined) status.conditions = conditions;
    }
    return released;
  }

  #canRelease(pod: Pod, failed: boolean): boolean {
    const { job, awaiting } = this.look;
    if (job.metadata.deletionTimestamp !== undefined || this.#ending !== undefined || hasSucceeded(pod)) return true;
    if (!failed) return false;
    const index = indexOf(pod);
    return index === undefined || awaiting.get(index)?.metadata.uid !== pod.metadata.uid;
  }

  /** Counts noted pods that have lost their finalizer. @returns whether the Job has ended */
  count(released: readonly Pod[]): boolean {
    const { job, status, pods, nowMs } = this.look;
    const gone = new Set(released);
    const tracked = new Set(pods.filter((pod) => isTracked(pod) && !gone.has(pod)).map(({ metadata }) => metadata.uid));
    const noted = status.uncountedTerminatedPods ?? {};
    for (const list of ['succeeded', 'failed'] as const) {
      const left = (noted[list] ?? []).filter((uid) => tracked.has(uid));
      const counted = (noted[list]?.length ?? 0) - left.length;
      if (counted > 0) status[list] = (status[list] ?? 0) + counted;
      if (left.length > 0) noted[list] = left;
      else delete noted[list];
    }
    const rest = (noted.succeeded?.length ?? 0) + (noted.failed?.length ?? 0);
    if (this.#ending === undefined || this.#isFull || rest > 0 || this.look.terminating > 0) return false;
    const { succeeds, reason, message } = this.#ending;
    const type = succeeds ? 'Complete' : 'Failed';
    const conditions = withJobCondition(status.conditions, { type, status: 'True', reason, message }, nowMs);
    if (conditions !== undefined) status.conditions = conditions;
    if (succeeds) status.completionTime = timestamp(nowMs);
    return job.metadata.uid !== undefined;
  }

  tellEnd(events: ClusterEvents): void {
    const { job, status } = this.look;
    const { completions } = job.spec ?? {};
    const ending = this.#ending!;
    if (!ending.succeeds) {
      events.warn(job, ending.reason, ending.message);
      return;
    }
    if (completions !== undefined && completions !== null && (status.succeeded ?? 0) > Number(completions)) {
      events.warn(job, 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
    }
    events.record(job, 'Completed', 'Job completed');
  }
}

function setOrDelete(status: Draft<JobStatus>, name: 'completedIndexes', text: string): void {
  if (text === '') delete status[name];
  else status[name] = text;
}
