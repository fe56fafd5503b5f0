// Controller of Jobs: pods until enough of them have succeeded or too many have failed. Each pod is counted once: it is
// noted in the status before it loses its finalizer, and counted after.

import { isEnding } from '../../api/error-reasons.ts';
import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Job } from '../../resources/builtin/batch/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { claimed, controllerKeys, controllerOf } from '../owners.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { inDeletionOrder } from '../workloads/deletion-order.ts';
import { followOwned, podsByNamespaceOfOrphans } from '../workloads/owned-pods.ts';
import { PODS_AT_ONCE, PodControl } from '../workloads/pod-control.ts';
import { type Backoff, NO_BACKOFF, nextBackoff } from './job-backoff.ts';
import { endingOf, isFinished, isSuspended, type JobLook, lookAt } from './job-look.ts';
import { hasValidIndex, indexOf, isIndexed, isTracked, replacesFailedOnly, TRACKING } from './job-pods.ts';
import { jobPod } from './job-template.ts';
import { JobWork } from './job-work.ts';

const ACCOUNT = 'job-controller';
const MANAGER = 'kubernetes.io/job-controller';

export function jobController(context: ClusterContext): Controller {
  return reconciler(context, { name: 'job-controller', begin: (keys) => new Jobs(context).begin(keys) });
}

class Jobs {
  readonly #context: ClusterContext;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  /** By key. */
  readonly #backoffs = new Map<string, Backoff>();
  #jobs!: Informer<Job>;
  #pods!: Informer<Pod>;
  #control!: PodControl;
  #podsOf!: Index<Pod>;
  #orphans!: Index<Pod>;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#objects = new ClusterObjects(context, ACCOUNT);
    this.#events = new ClusterEvents(context, { component: ACCOUNT, as: ACCOUNT });
  }

  async begin(keys: Keys): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#jobs = await informers.open<Job>('batch', 'jobs');
    this.#pods = await informers.open<Pod>('', 'pods');
    this.#control = new PodControl({ pods: this.#pods, objects: this.#objects, events: this.#events });
    this.#podsOf = this.#pods.index(controllerKeys);
    this.#orphans = podsByNamespaceOfOrphans(this.#pods);
    this.#jobs.follow({
      changed: (job) => keys.add(keyOf(job)),
      // Its pods, if they stay, are nobody's any more.
      removed: (job) => keys.add(keyOf(job)),
    });
    followOwned(this.#pods, { owners: this.#jobs, kind: 'Job', keys, selectorOf: ({ spec }) => spec?.selector });
    // Pods that have lost their Job keep their finalizer until somebody looks.
    this.#pods.follow({ changed: (pod) => this.#isStray(pod) && keys.add(`${STRAY}${keyOf(pod)}`) });
    return (key) => (key.startsWith(STRAY) ? this.#releaseStray(key.slice(STRAY.length)) : this.#reconcile(key));
  }

  #isStray(pod: Pod): boolean {
    if (!isTracked(pod)) return false;
    const owner = controllerOf(pod);
    if (owner === undefined) return true;
    const job = owner.kind === 'Job' ? this.#jobs.get(pod.metadata.namespace ?? '', owner.name) : undefined;
    return owner.kind === 'Job' && job?.metadata.uid !== owner.uid;
  }

  async #releaseStray(key: string): Promise<undefined> {
    const { namespace, name } = splitKey(key);
    const pod = this.#pods.get(namespace, name);
    if (pod !== undefined && this.#isStray(pod)) await this.#release(pod);
  }

  async #release(pod: Pod): Promise<void> {
    await this.#objects.update(this.#pods, pod, ({ metadata }) => {
      if (metadata.finalizers?.includes(TRACKING) !== true) return false;
      metadata.finalizers = metadata.finalizers.filter((each) => each !== TRACKING);
      return true;
    });
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    const job = this.#jobs.get(namespace, name);
    const managedBy = job?.spec?.managedBy ?? MANAGER;
    if (job === undefined || managedBy !== MANAGER || isFinished(job)) {
      this.#backoffs.delete(key);
      if (job === undefined) await this.#releaseOf(namespace);
      return undefined;
    }
    const candidates = [...this.#podsOf.get(job.metadata.uid ?? ''), ...this.#orphans.get(namespace)];
    const claim = { owner: job, informer: this.#pods, candidates, objects: this.#objects, finalizer: TRACKING };
    const look = lookAt(job, await claimed(claim), this.#context.clock.now());
    const backoff = nextBackoff(this.#backoffs.get(key) ?? NO_BACKOFF, look.newSucceeded, look.newFailed);
    const work = new JobWork(look, backoff);
    const ending = endingOf(look);
    let fault: unknown;
    try {
      if (ending === undefined) await this.#manage(work);
      else await this.#end(work);
    } catch (error) {
      fault = error;
    }
    work.settle(fault === undefined ? ending : undefined, this.#events);
    this.#backoffs.set(key, backoff);
    await this.#track(work);
    if (fault !== undefined && !isEnding(fault)) throw fault;
    return work.waitMs;
  }

  /** Pods in the namespace whose Job is gone. */
  async #releaseOf(namespace: string): Promise<void> {
    for (const pod of this.#pods.list(namespace)) if (this.#isStray(pod)) await this.#release(pod);
  }

  async #end(work: JobWork): Promise<void> {
    const { job, active } = work.look;
    await this.#control.deleteMany(job, active);
    work.deleted(active);
  }

  /** Creates missing pods, or deletes superfluous ones. */
  async #manage(work: JobWork): Promise<void> {
    const { job, active } = work.look;
    if (job.metadata.deletionTimestamp !== undefined) return;
    const wanted = work.wantedPods();
    const surplus = isSuspended(job) ? [...active] : superfluous(work.look, Math.max(0, active.length - wanted));
    if (surplus.length > 0 || isSuspended(job)) {
      const chosen = isSuspended(job) ? surplus : surplus.slice(0, PODS_AT_ONCE);
      for (const pod of chosen) await this.#release(pod);
      await this.#control.deleteMany(job, chosen);
      work.deleted(chosen);
      return;
    }
    const missing = wanted - active.length - (replacesFailedOnly(job) ? work.look.terminating : 0);
    if (missing <= 0 || work.mustWait()) return;
    const count = Math.min(missing, PODS_AT_ONCE);
    const indexes = isIndexed(job) ? work.pendingIndexes(count) : undefined;
    const make = (position: number) => {
      const index = indexes?.[position];
      return jobPod(job, index, index === undefined ? undefined : work.look.awaiting.get(index));
    };
    const created = indexes?.length ?? count;
    work.activeCount += created;
    try {
      await this.#control.createMany(job, created, make);
    } catch (error) {
      work.activeCount = this.#podsOf.get(job.metadata.uid ?? '').filter(({ metadata, status }) => {
        return metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
      }).length;
      throw error;
    }
  }

  /** Notes ended pods in the status, removes their finalizers, counts them, and reports the end of the Job. */
  async #track(work: JobWork): Promise<void> {
    const { look } = work;
    const released = work.noteEnded();
    await this.#writeStatus(look);
    for (const pod of released) await this.#release(pod);
    const finished = work.count(released);
    await this.#writeStatus(look);
    if (finished) work.tellEnd(this.#events);
  }

  async #writeStatus({ job, status }: JobLook): Promise<void> {
    const latest = this.#jobs.get(job.metadata.namespace ?? '', job.metadata.name ?? '');
    if (latest?.metadata.uid !== job.metadata.uid || equalJson(latest?.status ?? {}, status)) return;
    await this.#objects.updateStatus(this.#jobs, job, (draft) => {
      draft.status = copyJson(status);
      return true;
    });
  }
}

/** What keys of pods without a Job begin with: no namespace does. */
const STRAY = 'pod:';

/** Active pods that have to go: those of no index, all but one of each, and so many more. */
function superfluous({ job, active, nowMs }: JobLook, atLeast: number): Pod[] {
  const order = (pods: readonly Pod[]) => inDeletionOrder(pods, { related: [], nowMs });
  const wrong: Pod[] = [];
  let right: Pod[] = [...active];
  if (isIndexed(job)) {
    const byIndex = Map.groupBy(active, (pod) => (hasValidIndex(job, pod) ? indexOf(pod) : undefined));
    right = [];
    for (const [index, pods] of byIndex) {
      const ordered = index === undefined ? pods : order(pods);
      wrong.push(...(index === undefined ? ordered : ordered.slice(0, -1)));
      if (index !== undefined) right.push(ordered.at(-1) as Pod);
    }
  }
  if (wrong.length >= atLeast) return wrong;
  return [...wrong, ...order(right).slice(0, atLeast - wrong.length)];
}
