// Controller of PodDisruptionBudgets: how many pods of each may be evicted. It also takes back the announcement that a
// pod is about to be disrupted, if that does not happen.

import { isConflict } from '../../api/error-reasons.ts';
import { equalJson } from '../../api/json-equal.ts';
import { type LabelSelector, labelSelectorOf, NO_LABELS } from '../../api/label-selector.ts';
import type { JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { timestamp } from '../../api/timestamp.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { ReplicaSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../resources/builtin/policy/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { findCondition, withCondition } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import { goSelector } from '../go-text.ts';
import type { Informer } from '../informer.ts';
import { scaledValue } from '../int-or-percent.ts';
import { controllerOf } from '../owners.ts';
import { hasEnded, isReady } from '../pod-facts.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { Scales } from '../scales.ts';
import { expectedScale } from './budget-scale.ts';

const NAME = 'disruption-controller';
/** How long an eviction may take until its pod is being deleted, and how long an announced disruption may take. */
const PATIENCE_MS = 120_000;
/** Keys of pods; those of budgets begin with a namespace. */
const POD = 'pod:';
const TARGET = 'DisruptionTarget';

export function disruptionController(context: ClusterContext): Controller {
  return reconciler(context, { name: NAME, begin: (keys) => new Disruptions(context, keys).begin() });
}

type Status = Required<Pick<PodDisruptionBudgetStatus, 'disruptedPods'>> & PodDisruptionBudgetStatus;

class Disruptions {
  readonly #context: ClusterContext;
  readonly #keys: Keys;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  readonly #scales: Scales;
  #pods!: Informer<Pod>;
  #budgets!: Informer<PodDisruptionBudget>;
  #replicaSets!: Informer<ReplicaSet>;

  constructor(context: ClusterContext, keys: Keys) {
    this.#context = context;
    this.#keys = keys;
    this.#objects = new ClusterObjects(context, NAME);
    this.#events = new ClusterEvents(context, { component: 'controllermanager', as: NAME });
    this.#scales = new Scales(context, NAME);
  }

  async begin(): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#budgets = await informers.open<PodDisruptionBudget>('policy', 'poddisruptionbudgets');
    this.#pods = await informers.open<Pod>('', 'pods');
    this.#replicaSets = await informers.open<ReplicaSet>('apps', 'replicasets');
    this.#budgets.follow({ changed: (budget) => this.#keys.add(keyOf(budget)) });
    this.#pods.follow({
      changed: (pod, previous) => {
        if (previous === undefined || differs(previous, pod)) this.#budgetsChanged(pod);
        const waitMs = this.#staleInMs(pod);
        if (waitMs !== undefined) this.#keys.addAfter(POD + keyOf(pod), waitMs);
      },
      removed: (pod) => this.#budgetsChanged(pod),
    });
    return (key) => (key.startsWith(POD) ? this.#withdraw(key.slice(POD.length)) : this.#reconcile(key));
  }

  #budgetsChanged(pod: Pod): void {
    const { namespace = '', name = '', labels } = pod.metadata;
    const matching = this.#budgets.list(namespace).filter((budget) => selectorOf(budget).matches(labels));
    for (const budget of matching) this.#keys.add(keyOf(budget));
    const [first] = matching;
    if (matching.length < 2 || first === undefined) return;
    const words = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${first.metadata.name}" arbitrarily.`;
    this.#events.warn(pod, 'MultiplePodDisruptionBudgets', words);
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    const budget = this.#budgets.get(namespace, name);
    if (budget === undefined) return undefined;
    try {
      return await this.#count(budget);
    } catch (error) {
      if (!isConflict(error)) await this.#forbid(budget, messageOf(error));
      else throw error;
      return undefined;
    }
  }

  async #count(budget: PodDisruptionBudget): Promise<number | undefined> {
    const selector = selectorOf(budget);
    const pods = this.#pods
      .list(budget.metadata.namespace ?? '')
      .filter(({ metadata }) => selector.matches(metadata.labels));
    if (pods.length === 0) this.#events.record(budget, 'NoPods', 'No matching pods found');
    const { expectedPods, desiredHealthy } = await this.#wanted(budget, pods);
    const { disruptedPods, waitMs } = this.#disrupted(budget, pods);
    const healthy = pods.filter((pod) => isStaying(pod) && isReady(pod) && !Object.hasOwn(disruptedPods, nameOf(pod)));
    const spare = healthy.length - desiredHealthy;
    await this.#write(budget, {
      disruptedPods,
      disruptionsAllowed: expectedPods > 0 ? Math.max(0, spare) : 0,
      ...{ currentHealthy: healthy.length, desiredHealthy, expectedPods },
      observedGeneration: budget.metadata.generation ?? 0,
    });
    return waitMs;
  }

  async #wanted(budget: PodDisruptionBudget, pods: readonly Pod[]) {
    const { minAvailable, maxUnavailable } = budget.spec ?? {};
    if (maxUnavailable === undefined) {
      if (minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
      if (typeof minAvailable === 'number') return { expectedPods: pods.length, desiredHealthy: minAvailable };
      const expectedPods = await this.#expected(budget, pods);
      return { expectedPods, desiredHealthy: scaledValue(minAvailable, expectedPods, true) };
    }
    const expectedPods = await this.#expected(budget, pods);
    const most = scaledValue(maxUnavailable, expectedPods, true);
    return { expectedPods, desiredHealthy: Math.max(0, expectedPods - most) };
  }

  async #expected(budget: PodDisruptionBudget, pods: readonly Pod[]): Promise<number> {
    try {
      const found = await expectedScale(pods, { scales: this.#scales, replicaSets: this.#replicaSets });
      if (found.hasUnmanaged) {
        const words = `Pods selected by this PodDisruptionBudget (selector: ${goSelector(budget.spec?.selector)}) were found to be unmanaged.`;
        const effect =
          'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.';
        const advice =
          'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
        this.#events.warn(budget, 'UnmanagedPods', `${words} ${effect} ${advice}`);
      }
      return found.count;
    } catch (error) {
      const words = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
      this.#events.warn(budget, 'CalculateExpectedPodCountFailed', words);
      throw error;
    }
  }

  /** The evicted pods that are not yet being deleted, and when the first of them counts as kept. */
  #disrupted({ metadata, status }: PodDisruptionBudget, pods: readonly Pod[]) {
    const nowMs = this.#context.clock.now();
    const disruptedPods: Record<string, string> = {};
    let waitMs: number | undefined;
    for (const pod of pods) {
      const since = ownMember(status?.disruptedPods ?? {}, nameOf(pod));
      if (!isStaying(pod) || since === undefined || since === null) continue;
      const leftMs = Date.parse(since) + PATIENCE_MS - nowMs;
      if (leftMs < 0) {
        // Kubernetes names the namespace twice.
        const words = `Pod was expected by PDB ${metadata.namespace}/${metadata.namespace} to be deleted but it wasn't`;
        this.#events.warn(pod, 'NotDeleted', words);
        continue;
      }
      disruptedPods[nameOf(pod)] = since;
      waitMs = Math.min(waitMs ?? leftMs, leftMs);
    }
    // Times have no fractions: a moment later it is over.
    return { disruptedPods, waitMs: waitMs === undefined ? undefined : waitMs + 1 };
  }

  async #write(budget: PodDisruptionBudget, status: Status): Promise<void> {
    const before = budget.status ?? {};
    const isAllowed = (status.disruptionsAllowed ?? 0) > 0;
    const condition = {
      type: 'DisruptionAllowed',
      status: isAllowed ? 'True' : 'False',
      observedGeneration: status.observedGeneration ?? 0,
      lastTransitionTime: timestamp(this.#context.clock.now()),
      reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    };
    const shown = findCondition(before.conditions, condition.type);
    const isShown = shown?.status === condition.status && shown.reason === condition.reason;
    if (isShown && equalJson(countsOf(before), countsOf(status))) return;
    await this.#objects.updateStatus(this.#budgets, budget, (draft) => {
      if (draft.metadata.resourceVersion !== budget.metadata.resourceVersion) return false;
      draft.status = { ...status, conditions: withCondition(before.conditions, condition) };
      return true;
    });
  }

  /** Allows no disruption of pods that cannot be counted. */
  async #forbid(budget: PodDisruptionBudget, message: string): Promise<void> {
    const { status = {} } = budget;
    const condition = {
      ...{ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message },
      observedGeneration: status.observedGeneration ?? 0,
      lastTransitionTime: timestamp(this.#context.clock.now()),
    };
    await this.#objects.updateStatus(this.#budgets, budget, (draft) => {
      draft.status = {
        ...draft.status,
        disruptionsAllowed: 0,
        conditions: withCondition(draft.status?.conditions, condition),
      };
      return !equalJson(draft.status, status);
    });
  }

  /** In how many milliseconds the announcement of a disruption is stale; undefined if there is none. */
  #staleInMs(pod: Pod): number | undefined {
    const condition = findCondition(pod.status?.conditions, TARGET);
    if (condition?.status !== 'True' || !isStaying(pod) || hasEnded(pod)) return undefined;
    if (condition.reason === 'TerminationByKubelet') return undefined;
    const since = Date.parse(condition.lastTransitionTime ?? '');
    return Math.max(0, since + PATIENCE_MS - this.#context.clock.now());
  }

  async #withdraw(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    const pod = this.#pods.get(namespace, name);
    const waitMs = pod === undefined ? undefined : this.#staleInMs(pod);
    if (pod === undefined || waitMs === undefined) return undefined;
    if (waitMs > 0) return waitMs;
    const { generation } = pod.metadata;
    await this.#objects.updateStatus(this.#pods, pod, (draft) => {
      const condition = {
        ...{ type: TARGET, status: 'False', lastProbeTime: null },
        lastTransitionTime: timestamp(this.#context.clock.now()),
        ...(generation === undefined ? {} : { observedGeneration: generation }),
      };
      draft.status = { ...draft.status, conditions: withCondition(draft.status?.conditions, condition) };
      return true;
    });
    return undefined;
  }
}

function nameOf({ metadata }: Pod): string {
  return metadata.name ?? '';
}

function isStaying({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined;
}

/** An invalid selector matches nothing. */
function selectorOf({ spec }: PodDisruptionBudget): LabelSelector {
  try {
    return labelSelectorOf(spec?.selector as JsonObject | undefined);
  } catch {
    return NO_LABELS;
  }
}

/** Whether a budget may count a pod differently. */
function differs(before: Pod, after: Pod): boolean {
  if (isReady(before) !== isReady(after) || isStaying(before) !== isStaying(after)) return true;
  const facts = (pod: Pod) => [pod.metadata.labels ?? {}, controllerOf(pod)?.uid ?? ''];
  return !equalJson(facts(before), facts(after));
}

function countsOf(status: PodDisruptionBudgetStatus): JsonObject {
  const { disruptedPods = {}, disruptionsAllowed = 0, observedGeneration = 0 } = status;
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = status;
  return { disruptedPods, disruptionsAllowed, observedGeneration, currentHealthy, desiredHealthy, expectedPods };
}
