// Controllers of ReplicaSets and of ReplicationControllers, which differ in their selectors alone: they keep a number of
// pods, and count them in the status.

import { isEnding } from '../../api/error-reasons.ts';
import { timestamp } from '../../api/timestamp.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { ReplicaSet, ReplicaSetCondition } from '../../resources/builtin/apps/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { claimed, controllerKeys, controllerOf } from '../owners.ts';
import { availableInMs, isActive, isReady } from '../pod-facts.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { inDeletionOrder } from './deletion-order.ts';
import { followOwned, podsByNamespaceOfOrphans } from './owned-pods.ts';
import { PODS_AT_ONCE, PodControl, podFromTemplate } from './pod-control.ts';

interface Kind {
  readonly name: string;
  /** The service account, and the component of events. */
  readonly account: string;
  readonly group: string;
  readonly resource: string;
  /** Its objects in the form of ReplicaSets. */
  readonly read: (object: ReplicaSet) => ReplicaSet;
}

export function replicaSetController(context: ClusterContext): Controller {
  return controllerOfKind(context, {
    name: 'replicaset-controller',
    account: 'replicaset-controller',
    group: 'apps',
    resource: 'replicasets',
    read: (object) => object,
  });
}

export function replicationController(context: ClusterContext): Controller {
  return controllerOfKind(context, {
    name: 'replicationcontroller-controller',
    account: 'replication-controller',
    group: '',
    resource: 'replicationcontrollers',
    read: (object) => ({
      ...object,
      spec: { ...object.spec, selector: { matchLabels: (object.spec?.selector ?? {}) as Record<string, string> } },
    }),
  });
}

function controllerOfKind(context: ClusterContext, kind: Kind): Controller {
  return reconciler(context, { name: kind.name, begin: (keys) => new ReplicaSets(context, kind).begin(keys) });
}

class ReplicaSets {
  readonly #context: ClusterContext;
  readonly #kind: Kind;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  #sets!: Informer<ReplicaSet>;
  #pods!: Informer<Pod>;
  #control!: PodControl;
  #podsOf!: Index<Pod>;
  #orphans!: Index<Pod>;
  #setsOf!: Index<ReplicaSet>;

  constructor(context: ClusterContext, kind: Kind) {
    this.#context = context;
    this.#kind = kind;
    this.#objects = new ClusterObjects(context, kind.account);
    this.#events = new ClusterEvents(context, { component: kind.account, as: kind.account });
  }

  async begin(keys: Keys): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    const { group, resource, read } = this.#kind;
    this.#sets = await informers.open<ReplicaSet>(group, resource);
    this.#pods = await informers.open<Pod>('', 'pods');
    this.#control = new PodControl({ pods: this.#pods, objects: this.#objects, events: this.#events });
    this.#podsOf = this.#pods.index(controllerKeys);
    this.#orphans = podsByNamespaceOfOrphans(this.#pods);
    this.#setsOf = this.#sets.index(controllerKeys);
    this.#sets.follow({ changed: (set) => keys.add(keyOf(set)) });
    followOwned(this.#pods, {
      owners: this.#sets,
      kind: this.#sets.definition.storage.kind,
      keys,
      selectorOf: (set) => read(set).spec?.selector,
    });
    return (key) => this.#reconcile(key);
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    const stored = this.#sets.get(namespace, name);
    if (stored === undefined) return undefined;
    const set = this.#kind.read(stored);
    const candidates = [...this.#podsOf.get(set.metadata.uid ?? ''), ...this.#orphans.get(namespace)].filter(isActive);
    const pods = await claimed({ owner: set, informer: this.#pods, candidates, objects: this.#objects });
    let fault: unknown;
    if (set.metadata.deletionTimestamp === undefined) {
      try {
        await this.#manage(set, pods);
      } catch (error) {
        fault = error;
      }
    }
    const nowMs = this.#context.clock.now();
    await this.#writeStatus(set, pods, { fault, nowMs });
    if (fault !== undefined && !isEnding(fault)) throw fault;
    return nextCheckMs(set, pods, nowMs);
  }

  /** Creates missing pods and deletes superfluous ones; the events of their changes come here again. */
  async #manage(set: ReplicaSet, pods: readonly Pod[]): Promise<void> {
    const missing = (set.spec?.replicas ?? 1) - pods.length;
    if (missing > 0) {
      const make = () => podFromTemplate(set, set.spec?.template);
      await this.#control.createMany(set, Math.min(missing, PODS_AT_ONCE), make);
    } else if (missing < 0) {
      const count = Math.min(-missing, PODS_AT_ONCE);
      const chosen = inDeletionOrder(pods, {
        related: this.#related(set, pods),
        nowMs: this.#context.clock.now(),
      }).slice(0, count);
      await this.#control.deleteMany(set, chosen);
    }
  }

  /** The pods of all sets of the same owner. */
  #related(set: ReplicaSet, pods: readonly Pod[]): readonly Pod[] {
    const owner = controllerOf(set);
    if (owner === undefined) return pods;
    return this.#setsOf.get(owner.uid).flatMap(({ metadata }) => this.#podsOf.get(metadata.uid ?? ''));
  }

  async #writeStatus(
    set: ReplicaSet,
    pods: readonly Pod[],
    { fault, nowMs }: { readonly fault: unknown; readonly nowMs: number },
  ): Promise<void> {
    const status = statusOf(set, pods, nowMs);
    const conditions = conditionsOf(set, pods, { fault, nowMs });
    const { status: before = {} } = set;
    const { generation } = set.metadata;
    const isSame =
      (before.observedGeneration ?? 0) === generation &&
      conditions === undefined &&
      Object.entries(status).every(([name, value]) => (before[name as keyof typeof before] ?? 0) === value);
    if (isSame) return;
    await this.#objects.updateStatus(this.#sets, set, (draft) => {
      const next = {
        ...draft.status,
        ...status,
        ...(generation === undefined ? {} : { observedGeneration: generation }),
      };
      draft.status = conditions === undefined ? next : { ...next, conditions };
      return true;
    });
  }
}

function statusOf({ spec }: ReplicaSet, pods: readonly Pod[], nowMs: number) {
  const wanted = Object.entries(spec?.template?.metadata?.labels ?? {});
  const isLabeled = ({ metadata }: Pod) => wanted.every(([name, value]) => metadata.labels?.[name] === value);
  const ready = pods.filter(isReady);
  return {
    replicas: pods.length,
    fullyLabeledReplicas: pods.filter(isLabeled).length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => availableInMs(pod, spec?.minReadySeconds ?? 0, nowMs) === 0).length,
  };
}

const FAILURE = 'ReplicaFailure';

/** Undefined if nothing is to be changed: an earlier failure keeps its words. */
function conditionsOf(
  { spec, status }: ReplicaSet,
  pods: readonly Pod[],
  { fault, nowMs }: { readonly fault: unknown; readonly nowMs: number },
): ReplicaSetCondition[] | undefined {
  const before = status?.conditions ?? [];
  const hasFailed = before.some(({ type }) => type === FAILURE);
  const fails = fault !== undefined && !isEnding(fault);
  if (hasFailed === fails) return undefined;
  const others = before.filter(({ type }) => type !== FAILURE);
  if (!fails) return others;
  const reason = pods.length < (spec?.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete';
  const condition = { type: FAILURE, status: 'True', lastTransitionTime: timestamp(nowMs), reason };
  return [...others, { ...condition, message: messageOf(fault) }];
}

/** When the next ready pod becomes available. */
function nextCheckMs({ spec }: ReplicaSet, pods: readonly Pod[], nowMs: number): number | undefined {
  const minReadySeconds = spec?.minReadySeconds ?? 0;
  const waits = pods.map((pod) => availableInMs(pod, minReadySeconds, nowMs) ?? 0).filter((ms) => ms > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
