// Controller of Deployments: a ReplicaSet for each revision of the template, whose sizes move from the old to the
// current one as the strategy allows.

import { isEnding, isTaken } from '../../api/error-reasons.ts';
import { equalJson } from '../../api/json-equal.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Controller } from '../../controllers/controller.ts';
import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
} from '../../resources/builtin/apps/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { claimed, controllerKeys, controllerOf } from '../owners.ts';
import { hasEnded } from '../pod-facts.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import {
  byRevision,
  currentSet,
  desiredOf,
  isSameTemplate,
  maxRevision,
  REVISION,
  revisionOf,
  withRevision,
  withSizes,
} from './deployment-revisions.ts';
import { rollBack, rollbackTarget } from './deployment-rollback.ts';
import {
  isRolling,
  maxSurge,
  type Resize,
  replicasOf,
  shareScale,
  shrinkOld,
  sizeOfCurrent,
} from './deployment-scaling.ts';
import { newSet } from './deployment-set.ts';
import {
  assignStatus,
  conditionOf,
  countedStatus,
  hasDeadline,
  historyLimit,
  isComplete,
  nextJudgementMs,
  pauseCondition,
  rolloutStatus,
  type Sets,
  withDeploymentCondition,
} from './deployment-status.ts';
import { selectsAll } from './selects-all.ts';

const ACCOUNT = 'deployment-controller';

export function deploymentController(context: ClusterContext): Controller {
  return reconciler(context, { name: 'deployment-controller', begin: (keys) => new Deployments(context).begin(keys) });
}

class Deployments {
  readonly #context: ClusterContext;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  #deployments!: Informer<Deployment>;
  #sets!: Informer<ReplicaSet>;
  #setsOf!: Index<ReplicaSet>;
  #orphans!: Index<ReplicaSet>;
  #podsOf!: Index<Pod>;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#objects = new ClusterObjects(context, ACCOUNT);
    this.#events = new ClusterEvents(context, { component: ACCOUNT, as: ACCOUNT });
  }

  async begin(keys: Keys): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#deployments = await informers.open<Deployment>('apps', 'deployments');
    this.#sets = await informers.open<ReplicaSet>('apps', 'replicasets');
    const pods = await informers.open<Pod>('', 'pods');
    this.#setsOf = this.#sets.index(controllerKeys);
    this.#orphans = this.#sets.index((set) => (controllerOf(set) === undefined ? [set.metadata.namespace ?? ''] : []));
    this.#podsOf = pods.index(controllerKeys);
    this.#deployments.follow({ changed: (deployment) => keys.add(keyOf(deployment)) });
    const ofSet = (set: ReplicaSet) => this.#look(set, keys);
    this.#sets.follow({
      changed: (set, previous) => {
        if (previous !== undefined && controllerOf(previous)?.uid !== controllerOf(set)?.uid) ofSet(previous);
        ofSet(set);
      },
      removed: ofSet,
    });
    // Strategy Recreate waits for the end of old pods.
    const ofPod = (pod: Pod) => {
      const { namespace = '' } = pod.metadata;
      const set = this.#sets.get(namespace, controllerOf(pod)?.name ?? '');
      const owner = set === undefined ? undefined : this.#deployments.get(namespace, controllerOf(set)?.name ?? '');
      if (owner !== undefined && !isRolling(owner)) keys.add(keyOf(owner));
    };
    pods.follow({ changed: (pod) => hasEnded(pod) && ofPod(pod), removed: ofPod });
    return (key) => this.#reconcile(key);
  }

  /** The Deployment of a ReplicaSet has to look, or those that may adopt it. */
  #look(set: ReplicaSet, keys: Keys): void {
    const { namespace = '' } = set.metadata;
    const owner = controllerOf(set);
    if (owner === undefined) {
      for (const each of this.#deployments.list(namespace)) keys.add(keyOf(each));
    } else if (owner.kind === 'Deployment') keys.add(`${namespace}/${owner.name}`);
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    let deployment = this.#deployments.get(namespace, name);
    if (deployment === undefined) return undefined;
    if (selectsAll(deployment)) return this.#refuse(deployment);
    const { uid = '' } = deployment.metadata;
    const candidates = [...this.#setsOf.get(uid), ...this.#orphans.get(namespace)];
    const all = await claimed({ owner: deployment, informer: this.#sets, candidates, objects: this.#objects });
    const current = currentSet(deployment, all);
    let sets: Sets = { current, old: all.filter((set) => set !== current) };
    if (deployment.metadata.deletionTimestamp !== undefined) return this.#writeStatus(deployment, sets, countedStatus);
    const condition = pauseCondition(deployment, this.#now());
    if (condition !== undefined) deployment = await this.#setCondition(deployment, condition);
    sets = { ...sets, current: current && (await this.#settleRevision(deployment, sets)) };
    deployment = this.#deployments.get(namespace, name) ?? deployment;
    if (deployment.spec?.paused === true) return this.#scale(deployment, sets);
    if (rollbackTarget(deployment) !== undefined) {
      const current = sets.current ?? (await this.#create(deployment, sets.old));
      const needs = { deployments: this.#deployments, objects: this.#objects, events: this.#events };
      return rollBack(needs, deployment, current === undefined ? sets.old : [...sets.old, current]);
    }
    if (isRescaled(deployment, sets)) return this.#scale(deployment, sets);
    return isRolling(deployment) ? this.#roll(deployment, sets) : this.#recreate(deployment, sets);
  }

  #now(): number {
    return this.#context.clock.now();
  }

  async #refuse(deployment: Deployment): Promise<undefined> {
    const words = 'This deployment is selecting all pods. A non-empty selector is required.';
    this.#events.warn(deployment, 'SelectingAll', words);
    const { generation = 0 } = deployment.metadata;
    if (Number(deployment.status?.observedGeneration ?? 0) >= generation) return;
    await this.#objects.updateStatus(this.#deployments, deployment, (draft) => {
      draft.status = { ...draft.status, observedGeneration: generation };
      return true;
    });
  }

  async #setCondition(deployment: Deployment, condition: DeploymentCondition): Promise<Deployment> {
    const written = await this.#objects.updateStatus(this.#deployments, deployment, (draft) => {
      const conditions = withDeploymentCondition(draft.status?.conditions, condition);
      draft.status = { ...draft.status, conditions: [...conditions] };
      return true;
    });
    return written ?? deployment;
  }

  /** Brings the annotations of the current ReplicaSet, and the revision of the Deployment, up to date. */
  async #settleRevision(deployment: Deployment, { current, old }: Sets): Promise<ReplicaSet> {
    const set = current as ReplicaSet;
    const annotations = withRevision(set, deployment, maxRevision(old) + 1n);
    const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
    const isSame = (set.spec?.minReadySeconds ?? 0) === minReadySeconds;
    if (!isSame || !equalJson(annotations, set.metadata.annotations ?? {})) {
      const written = await this.#objects.update(this.#sets, set, (draft) => {
        draft.metadata.annotations = withRevision(draft, deployment, maxRevision(old) + 1n);
        draft.spec = { ...draft.spec, minReadySeconds };
        return true;
      });
      return written ?? set;
    }
    const words = `Found new replica set ${JSON.stringify(set.metadata.name)}`;
    const found = conditionOf(['Progressing', 'True', 'FoundNewReplicaSet', words], this.#now());
    await this.#noteRevision(deployment, String(revisionOf(set)), { condition: found, isNew: false });
    return set;
  }

  /** Sets the revision of a Deployment, and a condition if it reports no progress yet. */
  async #noteRevision(
    deployment: Deployment,
    revision: string,
    { condition, isNew }: { readonly condition: DeploymentCondition; readonly isNew: boolean },
  ): Promise<void> {
    const conditions = deployment.status?.conditions ?? [];
    const tells = hasDeadline(deployment) && (isNew || !conditions.some(({ type }) => type === 'Progressing'));
    if (!tells && deployment.metadata.annotations?.[REVISION] === revision) return;
    await this.#objects.updateStatus(this.#deployments, deployment, (draft) => {
      draft.metadata.annotations = { ...draft.metadata.annotations, [REVISION]: revision };
      const next = tells ? [...withDeploymentCondition(draft.status?.conditions, condition)] : undefined;
      if (next !== undefined) draft.status = { ...draft.status, conditions: next };
      return true;
    });
  }

  /** While it is paused, or when its size has changed. */
  async #scale(deployment: Deployment, sets: Sets): Promise<number | undefined> {
    const resized = await this.#resizeAll(deployment, sets, shareScale(deployment, sets.current, sets.old));
    if (deployment.spec?.paused === true && rollbackTarget(deployment) === undefined) {
      await this.#cleanUp(deployment, resized.old);
    }
    return this.#writeStatus(deployment, resized, countedStatus);
  }

  async #roll(deployment: Deployment, sets: Sets): Promise<number | undefined> {
    const current = sets.current ?? (await this.#create(deployment, sets.old));
    if (current === undefined) return undefined;
    const all = { ...sets, current };
    const wanted = replicasOf(deployment);
    const size = replicasOf(current) > wanted ? wanted : sizeOfCurrent(deployment, current, [...sets.old, current]);
    const grows = size !== replicasOf(current);
    if (grows) {
      const grown = await this.#resizeAll(deployment, all, [{ set: current, replicas: size }]);
      return this.#writeStatus(deployment, grown, rolloutStatus);
    }
    const active = sets.old.filter((set) => replicasOf(set) > 0);
    const steps = shrinkOld(deployment, current, active);
    const shrunk = await this.#resizeAll(deployment, all, steps);
    if (steps.length === 0) await this.#cleanUpAfter(deployment, all.old);
    return this.#writeStatus(deployment, shrunk, rolloutStatus);
  }

  async #recreate(deployment: Deployment, sets: Sets): Promise<number | undefined> {
    const active = sets.old.filter((set) => replicasOf(set) > 0);
    if (active.length > 0) {
      const steps = active.map((set) => ({ set, replicas: 0 }));
      return this.#writeStatus(deployment, await this.#resizeAll(deployment, sets, steps), rolloutStatus);
    }
    if (this.#hasOldPods(sets)) return this.#writeStatus(deployment, sets, rolloutStatus);
    const current = sets.current ?? (await this.#create(deployment, sets.old));
    if (current === undefined) return undefined;
    const steps =
      replicasOf(current) === replicasOf(deployment) ? [] : [{ set: current, replicas: replicasOf(deployment) }];
    const grown = await this.#resizeAll(deployment, { ...sets, current }, steps);
    await this.#cleanUpAfter(deployment, sets.old);
    return this.#writeStatus(deployment, grown, rolloutStatus);
  }

  #hasOldPods({ old }: Sets): boolean {
    return old.some(
      ({ metadata, status }) =>
        (status?.replicas ?? 0) > 0 || this.#podsOf.get(metadata.uid ?? '').some((pod) => !hasEnded(pod)),
    );
  }

  /**
   * The ReplicaSet of a new template. Undefined if its name is taken by another one: the next look tries another name.
   * @throws ApiError if it cannot be created, which a condition and an event report
   */
  async #create(deployment: Deployment, old: readonly ReplicaSet[]): Promise<ReplicaSet | undefined> {
    const set = newSet(deployment, old);
    const { name = '' } = set.metadata;
    const revision = String(maxRevision(old) + 1n);
    const replicas = set.spec?.replicas ?? 0;
    let created: ReplicaSet;
    try {
      created = await this.#objects.create(this.#sets, set);
    } catch (error) {
      if (isTaken(error)) {
        const standing = this.#sets.get(deployment.metadata.namespace ?? '', name);
        const isOurs = standing !== undefined && controllerOf(standing)?.uid === deployment.metadata.uid;
        if (isOurs && isSameTemplate(standing.spec?.template, deployment.spec?.template)) return standing;
        await this.#countCollision(deployment);
        return undefined;
      }
      if (isEnding(error)) return undefined;
      await this.#noteFailure(
        deployment,
        `Failed to create new replica set ${JSON.stringify(name)}: ${messageOf(error)}`,
      );
      throw error;
    }
    if (replicas > 0) this.#noteScaling(deployment, created, [0, replicas]);
    const words = `Created new replica set ${JSON.stringify(name)}`;
    const condition = conditionOf(['Progressing', 'True', 'NewReplicaSetCreated', words], this.#now());
    await this.#noteRevision(deployment, revision, { condition, isNew: true });
    return created;
  }

  async #noteFailure(deployment: Deployment, message: string): Promise<void> {
    if (hasDeadline(deployment)) {
      const condition = conditionOf(['Progressing', 'False', 'ReplicaSetCreateError', message], this.#now());
      await this.#setCondition(deployment, condition);
    }
    this.#events.warn(deployment, 'ReplicaSetCreateError', message);
  }

  async #countCollision(deployment: Deployment): Promise<void> {
    await this.#objects.updateStatus(this.#deployments, deployment, (draft) => {
      draft.status = { ...draft.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 };
      return true;
    });
  }

  /** Unchanged sizes are written too, for the annotations with those of the Deployment. */
  async #resizeAll(deployment: Deployment, sets: Sets, steps: readonly Resize[]): Promise<Sets> {
    const written = new Map<ReplicaSet, ReplicaSet>();
    for (const { set, replicas } of steps) {
      const before = replicasOf(set);
      written.set(set, await this.#resize(deployment, set, replicas));
      if (before !== replicas) this.#noteScaling(deployment, set, [before, replicas]);
    }
    const latest = (set: ReplicaSet) => written.get(set) ?? set;
    return { current: sets.current && latest(sets.current), old: sets.old.map(latest) };
  }

  async #resize(deployment: Deployment, set: ReplicaSet, replicas: number): Promise<ReplicaSet> {
    const desired = replicasOf(deployment);
    const sizes = { desired, maximum: desired + maxSurge(deployment) };
    const isSame = equalJson(withSizes(set, sizes), set.metadata.annotations ?? {});
    if (isSame && replicas === replicasOf(set)) return set;
    const written = await this.#objects.update(this.#sets, set, (draft) => {
      draft.metadata.annotations = withSizes(draft, sizes);
      draft.spec = { ...draft.spec, replicas };
      return true;
    });
    return written ?? set;
  }

  #noteScaling(deployment: Deployment, { metadata }: ReplicaSet, [before, after]: readonly [number, number]): void {
    const direction = before < after ? 'up' : 'down';
    const words = `Scaled ${direction} replica set ${metadata.name} from ${before} to ${after}`;
    this.#events.record(deployment, 'ScalingReplicaSet', words);
  }

  async #cleanUpAfter(deployment: Deployment, old: readonly ReplicaSet[]): Promise<void> {
    if (isComplete(deployment, deployment.status)) await this.#cleanUp(deployment, old);
  }

  /** Deletes the oldest ReplicaSets beyond the limit of the history that have no pods. */
  async #cleanUp(deployment: Deployment, old: readonly ReplicaSet[]): Promise<void> {
    const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined).sort(byRevision);
    const surplus = alive.length - (historyLimit(deployment) ?? alive.length);
    for (const set of alive.slice(0, Math.max(0, surplus))) {
      const { replicas = 0, observedGeneration = 0 } = set.status ?? {};
      const isSeen = Number(observedGeneration) >= (set.metadata.generation ?? 0);
      if (replicas === 0 && replicasOf(set) === 0 && isSeen) await this.#objects.delete(this.#sets, set);
    }
  }

  /** Writes the status if it says anything new. @returns when the lack of progress has to be judged */
  async #writeStatus(
    deployment: Deployment,
    sets: Sets,
    statusOf: (deployment: Deployment, sets: Sets, nowMs: number) => DeploymentStatus,
  ): Promise<number | undefined> {
    const nowMs = this.#now();
    // What was written meanwhile (a revision, a condition) counts.
    const latest = this.#deployments.get(deployment.metadata.namespace ?? '', deployment.metadata.name ?? '');
    if (latest === undefined || latest.metadata.uid !== deployment.metadata.uid) return undefined;
    const status = statusOf(
      { ...latest, spec: deployment.spec, metadata: deployment.metadata } as Deployment,
      sets,
      nowMs,
    );
    if (isSameStatus(latest.status, status)) return nextJudgementMs(deployment, status, nowMs);
    await this.#objects.updateStatus(this.#deployments, deployment, (draft) => {
      assignStatus(draft, status);
      return true;
    });
    return undefined;
  }
}

/** Whether the size of a Deployment has changed since its active ReplicaSets got theirs. */
function isRescaled(deployment: Deployment, { current, old }: Sets): boolean {
  const active = [...old, ...(current === undefined ? [] : [current])].filter((set) => replicasOf(set) > 0);
  return active.some((set) => (desiredOf(set) ?? replicasOf(deployment)) !== replicasOf(deployment));
}

/** Whether nothing in a status would change; absent numbers are 0. */
function isSameStatus(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  return Object.entries(after).every(([name, value]) => {
    const was = before?.[name as keyof DeploymentStatus];
    return typeof value === 'object' ? equalJson(was ?? [], value) : (was ?? 0) === value;
  });
}
