// What the scheduler writes: bindings, the conditions of pods that fit nowhere, and the end of pods that make room.

import type { Draft } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import { AUTHENTICATED, type User } from '../../auth/user.ts';
import { ControlledObjects } from '../../controllers/controlled-objects.ts';
import type { Pod, PodCondition } from '../../resources/builtin/core/pod/objects.ts';
import { bindPod } from '../../verbs/bind-pod.ts';
import { nothingRepeated } from '../../verbs/resource-request.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { findCondition, withCondition } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import type { Informer } from '../informer.ts';
import type { PodInfo } from './pod-info.ts';

export const SCHEDULER_USER: User = Object.freeze({
  name: 'system:kube-scheduler',
  uid: '',
  groups: [AUTHENTICATED],
  extra: {},
});
/** The user agent determines the manager in managedFields. */
export const USER_AGENT = 'kube-scheduler';

/** What a condition of a pod says. */
type Stated = Required<Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>>;

export class SchedulerWrites {
  readonly #context: ClusterContext;
  readonly #pods: Informer<Pod>;
  readonly #objects: ClusterObjects;
  readonly #requests: ControlledObjects;

  constructor(context: ClusterContext, pods: Informer<Pod>) {
    this.#context = context;
    this.#pods = pods;
    this.#objects = new ClusterObjects(context, SCHEDULER_USER, USER_AGENT);
    this.#requests = new ControlledObjects(context, SCHEDULER_USER, USER_AGENT);
  }

  get objects(): ClusterObjects {
    return this.#objects;
  }

  /** @throws ApiError if the pod cannot be bound */
  async bind({ namespace, name, uid }: PodInfo, node: string): Promise<void> {
    const { definition } = this.#pods;
    const request = { ...this.#requests.request({ definition, namespace, name }), subresource: 'binding' };
    const value = {
      ...{ apiVersion: 'v1', kind: 'Binding', metadata: { namespace, name, uid } },
      target: { kind: 'Node', name: node },
    };
    await bindPod(this.#context.writes, request, {
      pods: definition,
      body: { value, excerpt: '', repeated: nothingRepeated },
    });
  }

  /**
   * States in the pod why it fits nowhere.
   * @param nominated the node that is kept for it, '' for none; undefined leaves that as it is
   */
  async reject({ pod }: PodInfo, { reason, message, nominated }: Rejected): Promise<void> {
    await this.#objects.updateStatus<Pod>(this.#pods, pod, (draft) => {
      const isStated = this.#state(draft, { type: 'PodScheduled', status: 'False', reason, message });
      return nominate(draft, nominated) || isStated;
    });
  }

  /** Gives up the node that is kept for a pod. */
  async giveUpNode({ pod }: PodInfo): Promise<void> {
    await this.#objects.updateStatus<Pod>(this.#pods, pod, (draft) => nominate(draft, ''));
  }

  /** Deletes a pod for a more important one. */
  async evict({ pod }: PodInfo, { pod: preemptor }: PodInfo): Promise<void> {
    const message = `${preemptor.spec?.schedulerName}: preempting to accommodate a higher priority pod`;
    await this.#objects.updateStatus<Pod>(this.#pods, pod, (draft) =>
      this.#state(draft, { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message }),
    );
    await this.#objects.delete(this.#pods, pod);
  }

  /** Sets a condition. @returns whether that changes anything */
  #state(draft: Draft<Pod>, stated: Stated): boolean {
    const { clock, writes } = this.#context;
    const conditions = (draft.status?.conditions ?? []) as readonly PodCondition[];
    const before = findCondition(conditions, stated.type);
    const isTracked = writes.registry.gateEnabled('PodObservedGenerationTracking');
    const { generation } = draft.metadata;
    const observed = isTracked || before?.observedGeneration !== undefined ? generation : undefined;
    const isSame = (['status', 'reason', 'message'] as const).every((member) => before?.[member] === stated[member]);
    if (isSame) return false;
    const next: PodCondition = {
      type: stated.type,
      ...(observed === undefined ? {} : { observedGeneration: observed as number }),
      ...{ status: stated.status, lastProbeTime: null, lastTransitionTime: timestamp(clock.now()) },
      ...{ reason: stated.reason, message: stated.message },
    };
    const status = { ...draft.status, conditions: withCondition(conditions, next) };
    draft.status = status as unknown as NonNullable<Draft<Pod>['status']>;
    return true;
  }
}

interface Rejected {
  readonly reason: 'Unschedulable' | 'SchedulerError';
  readonly message: string;
  readonly nominated: string | undefined;
}

/** @returns whether that changes anything */
function nominate(draft: Draft<Pod>, node: string | undefined): boolean {
  if (node === undefined || (draft.status?.nominatedNodeName ?? '') === node) return false;
  const status: Draft<Pod>['status'] = { ...draft.status, nominatedNodeName: node };
  if (node === '') delete status.nominatedNodeName;
  draft.status = status;
  return true;
}
