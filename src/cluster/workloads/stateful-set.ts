// Controller of StatefulSets: pods with lasting names and claims, created in the order of their ordinals and replaced in
// the opposite one.

import type { Draft } from '../../api/object.ts';
import type { Controller } from '../../controllers/controller.ts';
import { isDeleting } from '../../controllers/controller.ts';
import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '../../resources/builtin/apps/v1-objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { claimed, controllerKeys } from '../owners.ts';
import { availableInMs, hasEnded, isAvailable } from '../pod-facts.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { followOwned, podsByNamespaceOfOrphans } from './owned-pods.ts';
import { inOrder, limitHistory, presentRevision, templateOf } from './revisions.ts';
import { StatefulPodControl } from './stateful-pod-control.ts';
import {
  firstOrdinal,
  isConsistent,
  isCreated,
  isInRange,
  isMember,
  isRunningAndReady,
  isUnavailable,
  ordinalOf,
  replicasOf,
  revisionOf,
  statefulPod,
} from './stateful-pods.ts';

const ACCOUNT = 'statefulset-controller';
const HASH_LABEL = 'controller.kubernetes.io/hash';

export function statefulSetController(context: ClusterContext): Controller {
  return reconciler(context, { name: ACCOUNT, begin: (keys) => new StatefulSets(context).begin(keys) });
}

/** The revisions of a set: the one that its pods had, and the one that they are to have. */
interface Revisions {
  readonly known: readonly ControllerRevision[];
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisions: number;
}

/** The pods of a set. */
interface Members {
  /** In the order of their ordinals; those that are missing are still to be created. */
  readonly replicas: Pod[];
  /** Pods beyond the size of the set, the last ordinal first. */
  readonly condemned: readonly Pod[];
}

class StatefulSets {
  readonly #context: ClusterContext;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  #sets!: Informer<StatefulSet>;
  #pods!: Informer<Pod>;
  #revisions!: Informer<ControllerRevision>;
  #podsOf!: Index<Pod>;
  #orphans!: Index<Pod>;
  #revisionsOf!: Index<ControllerRevision>;
  #control!: StatefulPodControl;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#objects = new ClusterObjects(context, ACCOUNT);
    this.#events = new ClusterEvents(context, { component: ACCOUNT, as: ACCOUNT });
  }

  async begin(keys: Keys): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#sets = await informers.open<StatefulSet>('apps', 'statefulsets');
    this.#pods = await informers.open<Pod>('', 'pods');
    this.#revisions = await informers.open<ControllerRevision>('apps', 'controllerrevisions');
    const claims = await informers.open<PersistentVolumeClaim>('', 'persistentvolumeclaims');
    this.#podsOf = this.#pods.index(controllerKeys);
    this.#orphans = podsByNamespaceOfOrphans(this.#pods);
    this.#revisionsOf = this.#revisions.index(controllerKeys);
    this.#control = new StatefulPodControl({ pods: this.#pods, claims, objects: this.#objects, events: this.#events });
    this.#sets.follow({ changed: (set) => keys.add(keyOf(set)) });
    followOwned(this.#pods, {
      owners: this.#sets,
      kind: 'StatefulSet',
      keys,
      selectorOf: ({ spec }) => spec?.selector,
    });
    return (key) => this.#reconcile(key);
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    const set = this.#sets.get(namespace, name);
    if (set === undefined) return undefined;
    const candidates = [...this.#podsOf.get(set.metadata.uid ?? ''), ...this.#orphans.get(namespace)].filter((pod) =>
      isMember(set, pod),
    );
    const pods = await claimed({ owner: set, informer: this.#pods, candidates, objects: this.#objects });
    const revisions = await this.#revisionsFor(set);
    const members = this.#membersOf(set, pods, revisions);
    let fault: unknown;
    try {
      if (set.metadata.deletionTimestamp === undefined) await this.#move(set, members, revisions);
    } catch (error) {
      fault = error;
    }
    await this.#writeStatus(set, members, revisions);
    if (fault !== undefined) throw fault;
    const inUse = new Set([revisions.current, revisions.update].map(({ metadata }) => metadata.name));
    for (const pod of pods) inUse.add(revisionOf(pod));
    // Unlike a DaemonSet's, a StatefulSet's limit does not count revisions in use.
    const unused = revisions.known.filter(({ metadata }) => !inUse.has(metadata.name ?? ''));
    const history = { revisions: this.#revisions, objects: this.#objects };
    await limitHistory(history, unused, { limit: set.spec?.revisionHistoryLimit ?? 10 });
    return this.#nextCheckMs(set, pods);
  }

  async #revisionsFor(set: StatefulSet): Promise<Revisions> {
    const known = inOrder(this.#revisionsOf.get(set.metadata.uid ?? ''));
    const history = { revisions: this.#revisions, objects: this.#objects, hashLabel: HASH_LABEL };
    const { revision: update, collisions } = await presentRevision(history, set, known);
    const current = known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    return { known, current, update, collisions };
  }

  #membersOf(set: StatefulSet, pods: readonly Pod[], revisions: Revisions): Members {
    const byOrdinal = new Map(pods.filter((pod) => isInRange(set, pod)).map((pod) => [ordinalOf(pod), pod]));
    const first = firstOrdinal(set);
    const replicas = Array.from({ length: replicasOf(set) }, (_, position) => {
      const ordinal = first + position;
      return byOrdinal.get(ordinal) ?? (newPod(set, ordinal, revisions) as Pod);
    });
    const condemned = pods.filter((pod) => !isInRange(set, pod) && ordinalOf(pod) >= 0);
    return { replicas, condemned: condemned.sort((one, other) => ordinalOf(other) - ordinalOf(one)) };
  }

  /** One step towards the desired state, or as many as possible if pods are managed in parallel. */
  async #move(set: StatefulSet, members: Members, revisions: Revisions): Promise<void> {
    const { replicas, condemned } = members;
    const nowMs = this.#context.clock.now();
    const inTurn = set.spec?.podManagementPolicy !== 'Parallel';
    const firstUnavailable =
      replicas.find((pod) => isUnavailable(set, pod, nowMs)) ??
      condemned.findLast((pod) => isUnavailable(set, pod, nowMs));
    if (await this.#forAll(replicas.keys(), inTurn, (position) => this.#bringUp(set, replicas, position))) return;
    for (const pod of condemned) await this.#control.settleOwners(set, pod);
    const take = async (pod: Pod) => {
      if (isDeleting(pod)) return inTurn;
      const isHealthy = isRunningAndReady(pod) && isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs);
      if (inTurn && !isHealthy && pod !== firstUnavailable) return true;
      await this.#control.delete(set, pod);
      return true;
    };
    if (await this.#forAll(condemned, inTurn, take)) return;
    if (set.spec?.updateStrategy?.type !== 'OnDelete') await this.#replaceNext(set, replicas, revisions);
  }

  /** @returns whether to stop: in turn, after the first item that says so */
  async #forAll<T>(items: Iterable<T>, inTurn: boolean, work: (item: T) => Promise<boolean>): Promise<boolean> {
    if (inTurn) {
      for (const item of items) if (await work(item)) return true;
      return false;
    }
    // In batches that double: what fails once would fail many times.
    const all = [...items];
    for (let done = 0, size = 1; done < all.length; done += size, size *= 2) {
      const results = await Promise.allSettled(all.slice(done, done + size).map(work));
      const failed = results.find((each) => each.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
    return false;
  }

  /** Creates or repairs a replica. @returns whether the next ones have to wait, if they go in turn */
  async #bringUp(set: StatefulSet, replicas: Pod[], position: number): Promise<boolean> {
    const pod = replicas[position] as Pod;
    if (hasEnded(pod)) {
      if (!isDeleting(pod)) await this.#control.delete(set, pod);
      return true;
    }
    if (!isCreated(pod)) {
      if (this.#control.mustWaitForClaims(set, pod)) return true;
      replicas[position] = await this.#control.create(set, pod as Draft<Pod>);
      return true;
    }
    if (pod.status?.phase === 'Pending') await this.#control.createClaims(set, pod);
    const nowMs = this.#context.clock.now();
    if (isDeleting(pod) || !isRunningAndReady(pod)) return true;
    if (!isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs)) return true;
    const isSettled = isConsistent(set, pod) && !this.#control.hasWrongOwners(set, pod);
    if (!isSettled) replicas[position] = (await this.#control.repair(set, pod)) ?? pod;
    return false;
  }

  /** Deletes the last replica of an old revision, once all after it are available. */
  async #replaceNext(set: StatefulSet, replicas: readonly Pod[], { update }: Revisions): Promise<void> {
    const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
    const nowMs = this.#context.clock.now();
    for (let position = replicas.length - 1; position >= partition; position--) {
      const pod = replicas[position] as Pod;
      if (revisionOf(pod) !== update.metadata.name && !isDeleting(pod)) {
        await this.#control.delete(set, pod);
        return;
      }
      if (isUnavailable(set, pod, nowMs)) return;
    }
  }

  async #writeStatus(set: StatefulSet, { replicas, condemned }: Members, revisions: Revisions): Promise<void> {
    // Deleted meanwhile, or changed by this step.
    const latest = (pod: Pod) => this.#pods.get(pod.metadata.namespace ?? '', pod.metadata.name ?? '') ?? pod;
    const pods = [...replicas, ...condemned].map(latest).filter(isCreated);
    const status = statusOf(set, { pods, revisions, nowMs: this.#context.clock.now() });
    const before = set.status ?? {};
    const isSame = Object.entries(status).every(([name, value]) => {
      const was = before[name as keyof StatefulSetStatus];
      return (was ?? (typeof value === 'string' ? '' : 0)) === value;
    });
    if (isSame && before.collisionCount !== undefined) return;
    await this.#objects.updateStatus(this.#sets, set, (draft) => {
      draft.status = { ...draft.status, ...(status as Draft<StatefulSetStatus>) };
      return true;
    });
  }

  #nextCheckMs({ spec }: StatefulSet, pods: readonly Pod[]): number | undefined {
    const nowMs = this.#context.clock.now();
    const waits = pods.map((pod) => availableInMs(pod, spec?.minReadySeconds ?? 0, nowMs) ?? 0).filter((ms) => ms > 0);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }
}

/** A pod that is missing: of the present revision while a partition or the progress of an update keeps it. */
function newPod(set: StatefulSet, ordinal: number, { current, update }: Revisions): Draft<Pod> {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  const position = ordinal - firstOrdinal(set);
  const kept = rollingUpdate
    ? (rollingUpdate.partition ?? 0)
    : type === 'RollingUpdate'
      ? (set.status?.currentReplicas ?? 0)
      : 0;
  const revision = position < kept ? current : update;
  return statefulPod(set, ordinal, { template: templateOf(revision), revision: revision.metadata.name ?? '' });
}

function statusOf(
  set: StatefulSet,
  { pods, revisions, nowMs }: { readonly pods: readonly Pod[]; readonly revisions: Revisions; readonly nowMs: number },
): StatefulSetStatus {
  const { current, update, collisions } = revisions;
  const ready = pods.filter(isRunningAndReady);
  const of = ({ metadata }: ControllerRevision) =>
    pods.filter((pod) => !isDeleting(pod) && revisionOf(pod) === metadata.name).length;
  const wanted = replicasOf(set);
  const counts = {
    replicas: pods.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs)).length,
    currentReplicas: of(current),
    updatedReplicas: of(update),
  };
  const isDone =
    set.spec?.updateStrategy?.type === 'RollingUpdate' &&
    [counts.updatedReplicas, counts.readyReplicas, counts.replicas].every((count) => count === wanted);
  return {
    ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
    ...counts,
    ...(isDone ? { currentReplicas: counts.updatedReplicas } : {}),
    currentRevision: (isDone ? update : current).metadata.name ?? '',
    updateRevision: update.metadata.name ?? '',
    collisionCount: collisions,
  };
}
