// Controller of DaemonSets: a pod on each node that wants one.

import { isEnding } from '../../api/error-reasons.ts';
import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { ControllerRevision, DaemonSet, DaemonSetStatus } from '../../resources/builtin/apps/v1-objects.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { claimed, controllerKeys } from '../owners.ts';
import { availableInMs, hasEnded, isAvailable, isReady } from '../pod-facts.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { daemonPod, HASH_LABEL, isUpdated, maxSurge, nodeOf, type Placement, placementOn } from './daemon-pods.ts';
import { type DaemonSteps, updateSteps } from './daemon-update.ts';
import { followOwned, podsByNamespaceOfOrphans } from './owned-pods.ts';
import { PODS_AT_ONCE, PodControl } from './pod-control.ts';
import { inOrder, limitHistory, presentRevision } from './revisions.ts';
import { selectsAll } from './selects-all.ts';

const NAME = 'daemonset-controller';
const ACCOUNT = 'daemon-set-controller';
/** Back-off of nodes on which pods fail. Kubernetes' values. */
const FIRST_MS = 1_000;
const LONGEST_MS = 15 * 60_000;

export function daemonSetController(context: ClusterContext): Controller {
  return reconciler(context, { name: NAME, begin: (keys) => new DaemonSets(context).begin(keys) });
}

interface Backoff {
  readonly delayMs: number;
  readonly sinceMs: number;
}

/** A set with its nodes and pods. */
interface View {
  readonly set: DaemonSet;
  readonly hash: string;
  readonly nowMs: number;
  readonly placements: ReadonlyMap<string, Placement>;
  readonly podsOn: ReadonlyMap<string, readonly Pod[]>;
}

class DaemonSets {
  readonly #context: ClusterContext;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  /** Of failed pods, by UID of the set and node. */
  readonly #backoffs = new Map<string, Backoff>();
  #sets!: Informer<DaemonSet>;
  #pods!: Informer<Pod>;
  #nodes!: Informer<Node>;
  #revisions!: Informer<ControllerRevision>;
  #control!: PodControl;
  #podsOf!: Index<Pod>;
  #orphans!: Index<Pod>;
  #revisionsOf!: Index<ControllerRevision>;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#objects = new ClusterObjects(context, ACCOUNT);
    this.#events = new ClusterEvents(context, { component: NAME, as: ACCOUNT });
  }

  async begin(keys: Keys): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#sets = await informers.open<DaemonSet>('apps', 'daemonsets');
    this.#pods = await informers.open<Pod>('', 'pods');
    this.#nodes = await informers.open<Node>('', 'nodes');
    this.#revisions = await informers.open<ControllerRevision>('apps', 'controllerrevisions');
    this.#control = new PodControl({ pods: this.#pods, objects: this.#objects, events: this.#events });
    this.#podsOf = this.#pods.index(controllerKeys);
    this.#orphans = podsByNamespaceOfOrphans(this.#pods);
    this.#revisionsOf = this.#revisions.index(controllerKeys);
    this.#sets.follow({
      changed: (set) => keys.add(keyOf(set)),
      removed: ({ metadata }) => {
        for (const key of this.#backoffs.keys()) if (key.startsWith(`${metadata.uid} `)) this.#backoffs.delete(key);
      },
    });
    followOwned(this.#pods, { owners: this.#sets, kind: 'DaemonSet', keys, selectorOf: ({ spec }) => spec?.selector });
    this.#nodes.follow({
      changed: (node, previous) => {
        for (const set of this.#sets.list()) {
          const isSame = previous !== undefined && equalJson(placementOn(set, previous), placementOn(set, node));
          if (!isSame) keys.add(keyOf(set));
        }
      },
      removed: () => {
        for (const set of this.#sets.list()) keys.add(keyOf(set));
      },
    });
    return (key) => this.#reconcile(key);
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    const set = this.#sets.get(namespace, name);
    if (set === undefined) return undefined;
    if (selectsAll(set)) {
      const words = 'This daemon set is selecting all pods. A non-empty selector is required.';
      this.#events.warn(set, 'SelectingAll', words);
      return undefined;
    }
    if (set.metadata.deletionTimestamp !== undefined) return undefined;
    const known = inOrder(this.#revisionsOf.get(set.metadata.uid ?? ''));
    const history = { revisions: this.#revisions, objects: this.#objects, hashLabel: HASH_LABEL };
    const { revision } = await presentRevision(history, set, known);
    const view = await this.#viewOf(set, revision.metadata.labels?.[HASH_LABEL] ?? '');
    let waitMs: number | undefined;
    try {
      waitMs = await this.#manage(view);
    } finally {
      await this.#writeStatus(await this.#viewOf(set, view.hash));
    }
    const inUse = new Set(
      this.#podsOf.get(set.metadata.uid ?? '').map(({ metadata }) => metadata.labels?.[HASH_LABEL]),
    );
    const old = known.filter(({ metadata }) => metadata.name !== revision.metadata.name);
    await limitHistory(history, old, {
      limit: set.spec?.revisionHistoryLimit ?? 10,
      isInUse: ({ metadata }) => inUse.has(metadata.labels?.[HASH_LABEL]),
    });
    return this.#nextCheckMs(view, waitMs);
  }

  async #viewOf(set: DaemonSet, hash: string): Promise<View> {
    const { uid = '', namespace = '' } = set.metadata;
    const candidates = [...this.#podsOf.get(uid), ...this.#orphans.get(namespace)];
    const pods = await claimed({ owner: set, informer: this.#pods, candidates, objects: this.#objects });
    const podsOn = new Map<string, Pod[]>();
    for (const pod of pods) {
      if (hasEnded(pod) && pod.metadata.deletionTimestamp !== undefined) continue;
      const node = nodeOf(pod);
      if (node === undefined) continue;
      const list = podsOn.get(node);
      if (list === undefined) podsOn.set(node, [pod]);
      else list.push(pod);
    }
    const placements = new Map(this.#nodes.list().map((node) => [node.metadata.name ?? '', placementOn(set, node)]));
    return { set, hash, nowMs: this.#context.clock.now(), placements, podsOn };
  }

  /** @returns when a failed pod may be replaced */
  async #manage(view: View): Promise<number | undefined> {
    const { set, hash } = view;
    const steps: DaemonSteps & { waitMs?: number } = { nodes: [], pods: [] };
    for (const [node, placement] of view.placements) this.#judge(view, { node, placement }, steps);
    for (const [node, pods] of view.podsOn) {
      // The scheduler will never find that node again.
      if (!view.placements.has(node)) steps.pods.push(...pods.filter(({ spec }) => (spec?.nodeName ?? '') === ''));
    }
    await this.#carryOut(set, hash, steps);
    if (steps.nodes.length === 0 && steps.pods.length === 0 && set.spec?.updateStrategy?.type === 'RollingUpdate') {
      await this.#carryOut(set, hash, updateSteps(view));
    }
    return steps.waitMs;
  }

  #judge(
    view: View,
    { node, placement }: { readonly node: string; readonly placement: Placement },
    steps: DaemonSteps & { waitMs?: number },
  ): void {
    const { set, hash, nowMs } = view;
    const pods = view.podsOn.get(node);
    if (placement.starts && pods === undefined) steps.nodes.push(node);
    else if (!placement.stays) {
      steps.pods.push(...(pods ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined));
    } else {
      const running = this.#running(view, { node, pods: pods ?? [] }, steps);
      if (maxSurge(set, 1) === 0) steps.pods.push(...running.slice(1));
      else if (running.length === 0 && placement.starts && pods !== undefined) steps.nodes.push(node);
      else if (running.length > 1) steps.pods.push(...surplusOf({ set, hash, nowMs }, running));
    }
  }

  /** The pods on a node that have not ended, the oldest first; those that have ended are to be deleted. */
  #running(
    { set, nowMs }: View,
    { node, pods }: { readonly node: string; readonly pods: readonly Pod[] },
    steps: DaemonSteps & { waitMs?: number },
  ): Pod[] {
    const running: Pod[] = [];
    for (const pod of pods) {
      const { namespace, name, deletionTimestamp } = pod.metadata;
      if (deletionTimestamp !== undefined) continue;
      const where = `daemon pod ${namespace}/${name} on node ${node}`;
      if (pod.status?.phase === 'Failed') {
        const waitMs = this.#backOff(`${set.metadata.uid} ${node}`, nowMs);
        if (waitMs > 0) {
          steps.waitMs = Math.min(waitMs, steps.waitMs ?? waitMs);
          continue;
        }
        this.#events.warn(set, 'FailedDaemonPod', `Found failed ${where}, will try to kill it`);
        steps.pods.push(pod);
      } else if (pod.status?.phase === 'Succeeded') {
        this.#events.record(set, 'SucceededDaemonPod', `Found succeeded ${where}, will try to delete it`);
        steps.pods.push(pod);
      } else running.push(pod);
    }
    return running.sort(assignedAndOlderFirst);
  }

  /** How long a failed pod has to stay; 0 if it may go, and then the next one stays longer. */
  #backOff(key: string, nowMs: number): number {
    const before = this.#backoffs.get(key);
    const leftMs = before === undefined ? 0 : before.sinceMs + before.delayMs - nowMs;
    if (leftMs > 0) return leftMs;
    const isForgotten = before === undefined || nowMs - before.sinceMs > 2 * LONGEST_MS;
    const delayMs = isForgotten ? FIRST_MS : Math.min(before.delayMs * 2, LONGEST_MS);
    this.#backoffs.set(key, { delayMs, sinceMs: nowMs });
    return 0;
  }

  async #carryOut(set: DaemonSet, hash: string, { nodes, pods }: DaemonSteps): Promise<void> {
    const some = nodes.slice(0, PODS_AT_ONCE);
    try {
      await this.#control.createMany(set, some.length, (index) => daemonPod(set, some[index] as string, hash));
    } catch (error) {
      if (!isEnding(error)) throw error;
    } finally {
      await this.#control.deleteMany(set, pods.slice(0, PODS_AT_ONCE));
    }
  }

  async #writeStatus(view: View): Promise<void> {
    const { set } = view;
    const counts = countsOf(view);
    const { generation = 0 } = set.metadata;
    const before = set.status ?? {};
    const isSame = Object.entries(counts).every(
      ([name, value]) => (before[name as keyof DaemonSetStatus] ?? 0) === value,
    );
    if (isSame && Number(before.observedGeneration ?? 0) >= generation) return;
    await this.#objects.updateStatus(this.#sets, set, (draft) => {
      draft.status = { ...draft.status, ...copyJson(counts), observedGeneration: generation };
      return true;
    });
  }

  #nextCheckMs({ set, podsOn, nowMs }: View, waitMs: number | undefined): number | undefined {
    const minReadySeconds = set.spec?.minReadySeconds ?? 0;
    const waits = [...podsOn.values()].flat().map((pod) => availableInMs(pod, minReadySeconds, nowMs) ?? 0);
    const all = [...waits.filter((ms) => ms > 0), ...(waitMs === undefined ? [] : [waitMs])];
    return all.length === 0 ? undefined : Math.min(...all);
  }
}

function assignedAndOlderFirst({ metadata: one, spec: first }: Pod, { metadata: other, spec: second }: Pod): number {
  const isAssigned = (spec: Pod['spec']) => Number((spec?.nodeName ?? '') !== '');
  const since = isAssigned(second) - isAssigned(first);
  if (since !== 0) return since;
  const key = ({ creationTimestamp = '', name = '' }: Pod['metadata']) => `${creationTimestamp} ${name}`;
  return key(one) < key(other) ? -1 : 1;
}

/** With a surge, a node keeps the oldest pod of either template, and the old one only until the new one is available. */
function surplusOf({ set, hash, nowMs }: Pick<View, 'set' | 'hash' | 'nowMs'>, running: readonly Pod[]): Pod[] {
  const [next, ...moreNext] = running.filter(({ metadata }) => metadata.labels?.[HASH_LABEL] === hash);
  const [old, ...moreOld] = running.filter(({ metadata }) => metadata.labels?.[HASH_LABEL] !== hash);
  const isReplaced =
    next !== undefined &&
    old !== undefined &&
    (!isReady(old) || isAvailable(next, set.spec?.minReadySeconds ?? 0, nowMs));
  return [...moreNext, ...moreOld, ...(isReplaced ? [old] : [])];
}

function countsOf({ set, hash, nowMs, placements, podsOn }: View) {
  const counts = {
    ...{ desiredNumberScheduled: 0, currentNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    ...{ updatedNumberScheduled: 0, numberAvailable: 0, numberUnavailable: 0 },
  };
  for (const [node, { starts }] of placements) {
    const [pod] = [...(podsOn.get(node) ?? [])].sort(assignedAndOlderFirst);
    if (!starts) {
      if (pod !== undefined) counts.numberMisscheduled++;
      continue;
    }
    counts.desiredNumberScheduled++;
    if (pod === undefined) continue;
    counts.currentNumberScheduled++;
    if (isReady(pod)) counts.numberReady++;
    if (isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs)) counts.numberAvailable++;
    if (isUpdated(set, pod, hash)) counts.updatedNumberScheduled++;
  }
  counts.numberUnavailable = counts.desiredNumberScheduled - counts.numberAvailable;
  return counts;
}
