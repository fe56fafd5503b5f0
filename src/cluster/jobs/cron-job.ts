// Controller of CronJobs: a Job whenever the schedule comes due, and the removal of old ones.

import { isEnding, isMissing, isTaken } from '../../api/error-reasons.ts';
import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Draft } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { CronJob, CronJobStatus, Job } from '../../resources/builtin/batch/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { isSetTrue } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { controlledBy, controllerKeys, controllerOf } from '../owners.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { parseSchedule, type Schedule } from './cron-schedule.ts';
import { type Due, dueTime, nextLookMs } from './cron-times.ts';
import { isFinished } from './job-look.ts';

const ACCOUNT = 'cronjob-controller';
const SCHEDULED = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

type Status = Draft<CronJobStatus>;

export function cronJobController(context: ClusterContext): Controller {
  return reconciler(context, { name: ACCOUNT, begin: (keys) => new CronJobs(context).begin(keys) });
}

class CronJobs {
  readonly #context: ClusterContext;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  #cronJobs!: Informer<CronJob>;
  #jobs!: Informer<Job>;
  #jobsOf!: Index<Job>;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#objects = new ClusterObjects(context, ACCOUNT);
    this.#events = new ClusterEvents(context, { component: ACCOUNT, as: ACCOUNT });
  }

  async begin(keys: Keys): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#cronJobs = await informers.open<CronJob>('batch', 'cronjobs');
    this.#jobs = await informers.open<Job>('batch', 'jobs');
    this.#jobsOf = this.#jobs.index(controllerKeys);
    this.#cronJobs.follow({ changed: (cronJob) => keys.add(keyOf(cronJob)) });
    const ofJob = (job: Job) => {
      const owner = controllerOf(job);
      if (owner?.kind === 'CronJob') keys.add(`${job.metadata.namespace}/${owner.name}`);
    };
    this.#jobs.follow({ changed: ofJob, removed: ofJob });
    return (key) => this.#reconcile(key);
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    const cronJob = this.#cronJobs.get(namespace, name);
    if (cronJob === undefined) return undefined;
    const status = copyJson(cronJob.status ?? {}) as Status;
    const jobs = this.#jobsOf.get(cronJob.metadata.uid ?? '');
    await this.#removeOld(cronJob, jobs, status);
    this.#noteEnded(cronJob, jobs, status);
    let waitMs: number | undefined;
    try {
      waitMs = await this.#schedule(cronJob, status);
    } finally {
      await this.#writeStatus(cronJob, status);
    }
    return waitMs;
  }

  async #writeStatus(cronJob: CronJob, status: Status): Promise<void> {
    if (status.active?.length === 0) delete status.active;
    if (equalJson(cronJob.status ?? {}, status)) return;
    await this.#objects.updateStatus(this.#cronJobs, cronJob, (draft) => {
      draft.status = status;
      return true;
    });
  }

  async #removeOld({ spec, ...cronJob }: CronJob, jobs: readonly Job[], status: Status): Promise<void> {
    const limits: [condition: string, limit: number | undefined][] = [
      ['Complete', spec?.successfulJobsHistoryLimit],
      ['Failed', spec?.failedJobsHistoryLimit],
    ];
    for (const [condition, limit] of limits) {
      const ended = jobs.filter((job) => isSetTrue(job.status?.conditions, condition)).sort(olderFirst);
      for (const job of ended.slice(0, Math.max(0, ended.length - (limit ?? ended.length)))) {
        await this.#delete(cronJob as CronJob, job, status);
      }
    }
  }

  async #delete(cronJob: CronJob, job: Job, status: Status): Promise<void> {
    try {
      await this.#objects.delete(this.#jobs, job, { propagationPolicy: 'Background' });
    } catch (error) {
      if (!isMissing(error)) this.#events.warn(cronJob, 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      return;
    }
    forget(status, job.metadata.uid);
    this.#events.record(cronJob, 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  }

  /** Takes Jobs that have ended or are gone from the list of active ones. */
  #noteEnded(cronJob: CronJob, jobs: readonly Job[], status: Status): void {
    const present = new Set(jobs.map(({ metadata }) => metadata.uid));
    for (const job of jobs) {
      const { name, uid } = job.metadata;
      const isActive = status.active?.some((each) => each.uid === uid) === true;
      if (!isFinished(job)) {
        const words = `Saw a job that the controller did not create or forgot: ${name}`;
        if (!isActive) this.#events.warn(cronJob, 'UnexpectedJob', words);
        continue;
      }
      const succeeded = isSetTrue(job.status?.conditions, 'Complete');
      if (isActive) {
        forget(status, uid);
        const words = `Saw completed job: ${name}, condition: ${succeeded ? 'Complete' : 'Failed'}`;
        this.#events.record(cronJob, 'SawCompletedJob', words);
      }
      const { completionTime = '' } = job.status ?? {};
      if (succeeded && completionTime > (status.lastSuccessfulTime ?? '')) status.lastSuccessfulTime = completionTime;
    }
    for (const { uid, name = '', namespace = '' } of [...(status.active ?? [])]) {
      if (present.has(uid) || this.#jobs.get(namespace, name) !== undefined) continue;
      this.#events.record(cronJob, 'MissingJob', `Active job went missing: ${name}`);
      forget(status, uid);
    }
  }

  /** Creates the Job that is due. @returns when the next one is */
  async #schedule(cronJob: CronJob, status: Status): Promise<number | undefined> {
    const { metadata, spec } = cronJob;
    if (metadata.deletionTimestamp !== undefined || spec?.suspend === true) return undefined;
    const schedule = this.#parse(cronJob);
    if (schedule === undefined) return undefined;
    const nowMs = this.#context.clock.now();
    const due = dueTime({ ...cronJob, status } as CronJob, schedule, nowMs);
    if (due?.hasMissedMany === true) {
      const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.#events.warn(cronJob, 'TooManyMissedTimes', `too many missed start times. ${advice}`);
    }
    if (due !== undefined && this.#isToStart(cronJob, status, due)) await this.#start(cronJob, status, due.timeMs);
    return nextLookMs({ ...cronJob, status } as CronJob, schedule, nowMs);
  }

  #parse(cronJob: CronJob): Schedule | undefined {
    const { schedule = '', timeZone } = cronJob.spec ?? {};
    try {
      return parseSchedule(schedule, timeZone);
    } catch (error) {
      const words = `unparseable schedule: ${JSON.stringify(schedule)} : ${messageOf(error)}`;
      this.#events.warn(cronJob, 'UnparseableSchedule', words);
      return undefined;
    }
  }

  #isToStart(cronJob: CronJob, status: Status, { timeMs }: Due): boolean {
    const { startingDeadlineSeconds, concurrencyPolicy } = cronJob.spec ?? {};
    const deadlineMs = Number(startingDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    if (timeMs + deadlineMs < this.#context.clock.now()) {
      const time = new Date(timeMs).toUTCString().replace(/GMT$/, 'UTC');
      this.#events.warn(cronJob, 'MissSchedule', `Missed scheduled time to start a job: ${time}`);
      return false;
    }
    const name = jobName(cronJob, timeMs);
    const isStarted =
      status.active?.some((each) => each.name === name) || status.lastScheduleTime === timestamp(timeMs);
    if (isStarted) return false;
    if (concurrencyPolicy !== 'Forbid' || (status.active?.length ?? 0) === 0) return true;
    const words = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    this.#events.record(cronJob, 'JobAlreadyActive', words);
    return false;
  }

  async #start(cronJob: CronJob, status: Status, timeMs: number): Promise<void> {
    const { namespace = '' } = cronJob.metadata;
    if (cronJob.spec?.concurrencyPolicy === 'Replace') {
      for (const { name = '' } of [...(status.active ?? [])]) {
        const job = this.#jobs.get(namespace, name);
        if (job !== undefined) await this.#delete(cronJob, job, status);
      }
    }
    let job: Job | undefined;
    try {
      job = await this.#objects.create<Job>(this.#jobs, newJob(cronJob, timeMs));
      this.#events.record(cronJob, 'SuccessfulCreate', `Created job ${job.metadata.name}`);
    } catch (error) {
      if (!isTaken(error)) {
        if (!isEnding(error)) this.#events.warn(cronJob, 'FailedCreate', `Error creating job: ${messageOf(error)}`);
        throw error;
      }
      job = this.#jobs.get(namespace, jobName(cronJob, timeMs));
      const isOurs = job !== undefined && controllerOf(job)?.uid === cronJob.metadata.uid;
      if (!isOurs || status.active?.some(({ uid }) => uid === job?.metadata.uid)) return;
    }
    status.active = [...(status.active ?? []), referenceTo(job as Job)];
    status.lastScheduleTime = timestamp(timeMs);
  }
}

function forget(status: Status, uid: string | undefined): void {
  status.active = (status.active ?? []).filter((each) => each.uid !== uid);
}

function referenceTo({ kind = 'Job', apiVersion = 'batch/v1', metadata }: Job) {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return { kind, namespace, name, uid, apiVersion, resourceVersion };
}

/** By the time at which it was due, in minutes. */
function jobName({ metadata }: CronJob, timeMs: number): string {
  return `${metadata.name}-${Math.floor(timeMs / 60_000)}`;
}

function newJob(cronJob: CronJob, timeMs: number): Draft<Job> {
  const { metadata, spec } = copyJson(cronJob.spec?.jobTemplate ?? {});
  const scheduled = inZone(timeMs, cronJob.spec?.timeZone);
  return {
    metadata: {
      name: jobName(cronJob, timeMs),
      namespace: cronJob.metadata.namespace ?? '',
      labels: { ...metadata?.labels },
      annotations: { ...metadata?.annotations, [SCHEDULED]: scheduled },
      ownerReferences: [controlledBy(cronJob)],
    },
    spec: (spec ?? {}) as NonNullable<Draft<Job>['spec']>,
  };
}

/** A time with the offset of a zone. */
function inZone(ms: number, timeZone: string | undefined): string {
  if (timeZone === undefined) return timestamp(ms);
  const zoned = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(ms);
  const [, sign = '', hours = '', minutes = ''] =
    /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(zoned.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? [];
  if (sign === '') return timestamp(ms);
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return `${timestamp(ms + offsetMs).slice(0, -1)}${sign}${hours}:${minutes}`;
}

function olderFirst({ metadata: one, status: first }: Job, { metadata: other, status: second }: Job): number {
  const [before, after] = [first?.startTime, second?.startTime];
  if (before !== after) return (before ?? '~') < (after ?? '~') ? -1 : 1;
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1;
}
