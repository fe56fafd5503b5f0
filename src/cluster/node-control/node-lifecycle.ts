// Controller of the life of nodes: nodes that no longer report are marked as unknown, taints follow the conditions of
// nodes, and pods of lost nodes are reported as not ready.

import type { Draft } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Lease } from '../../resources/builtin/coordination/v1-objects.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { findCondition } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { type Keys, reconciler } from '../reconciler.ts';
import {
  evictingTaint,
  hasEvictingTaint,
  hasOtherEvictingTaint,
  setEvictingTaint,
  settledTaints,
} from './node-taints.ts';
import { NodeZones } from './node-zones.ts';

/** kube-controller-manager's defaults: for nodes that have reported, and for those that never have. */
const GRACE_MS = 50_000;
const STARTUP_GRACE_MS = 60_000;
/** How often it looks. */
const PERIOD_MS = 5_000;
const LEASES = 'kube-node-lease';
const REPORTED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];
/** Labels that older clients know by another name. */
const TWIN_LABELS = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

export function nodeLifecycleController(context: ClusterContext): Controller {
  return reconciler(context, {
    name: 'node-lifecycle-controller',
    begin: (keys) => new NodeLifecycle(context, keys).begin(),
  });
}

class NodeLifecycle {
  readonly #context: ClusterContext;
  readonly #keys: Keys;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  readonly #zones = new NodeZones();
  /** When a node last gave a sign of life, by name. */
  readonly #heardMs = new Map<string, number>();
  /** Nodes whose pods have been reported as not ready. */
  readonly #lost = new Set<string>();
  #nodes!: Informer<Node>;
  #pods!: Informer<Pod>;
  #podsOn!: Index<Pod>;

  constructor(context: ClusterContext, keys: Keys) {
    this.#context = context;
    this.#keys = keys;
    this.#objects = new ClusterObjects(context, 'node-controller');
    this.#events = new ClusterEvents(context, { component: 'node-controller', as: 'node-controller' });
  }

  async begin(): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#nodes = await informers.open<Node>('', 'nodes');
    this.#pods = await informers.open<Pod>('', 'pods');
    const leases = await informers.open<Lease>('coordination.k8s.io', 'leases');
    this.#podsOn = this.#pods.index(({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
    leases.follow({
      changed: ({ metadata, spec }, previous) => {
        const isRenewed = spec?.renewTime !== previous?.spec?.renewTime;
        if (metadata.namespace === LEASES && isRenewed) this.#hear(metadata.name ?? '');
      },
    });
    this.#nodes.follow({
      changed: (node, previous) => this.#seen(node, previous),
      removed: ({ metadata, ...node }) => {
        const { name = '' } = metadata;
        this.#heardMs.delete(name);
        this.#lost.delete(name);
        const words = `Node ${name} event: Removing Node ${name} from Controller`;
        this.#events.record({ ...node, metadata }, 'RemovingNode', words);
      },
    });
    return (name) => this.#reconcile(name);
  }

  #hear(node: string): void {
    this.#heardMs.set(node, this.#context.clock.now());
  }

  #seen(node: Node, previous: Node | undefined): void {
    const { name = '' } = node.metadata;
    const heartbeat = ({ status }: Node) => findCondition(status?.conditions, 'Ready')?.lastHeartbeatTime;
    if (previous === undefined) {
      const words = `Node ${name} event: Registered Node ${name} in Controller`;
      this.#events.record(node, 'RegisteredNode', words);
      this.#heardMs.set(name, this.#heardMs.get(name) ?? this.#context.clock.now());
    } else if (heartbeat(node) !== heartbeat(previous)) this.#hear(name);
    this.#keys.add(name);
  }

  async #reconcile(name: string): Promise<number | undefined> {
    const node = this.#nodes.get('', name);
    if (node === undefined) return undefined;
    await this.#settleMetadata(node);
    const ready = findCondition(node.status?.conditions, 'Ready');
    const nowMs = this.#context.clock.now();
    const graceMs = ready === undefined ? STARTUP_GRACE_MS : GRACE_MS;
    const leftMs = (this.#heardMs.get(name) ?? nowMs) + graceMs - nowMs;
    const isSilent = leftMs <= 0;
    const latest = isSilent ? await this.#markUnknown(node) : node;
    if (latest === undefined) return undefined;
    const state = findCondition(latest.status?.conditions, 'Ready')?.status;
    await this.#settlePods(latest, ready?.status, state);
    const turnMs = await this.#settleEviction(latest, state);
    const waits = [turnMs, isSilent ? PERIOD_MS : leftMs].filter((ms) => ms !== undefined);
    return Math.min(...waits);
  }

  /** Taints without eviction, and twins of labels. */
  async #settleMetadata(node: Node): Promise<void> {
    const nowMs = this.#context.clock.now();
    const { labels = {} } = node.metadata;
    const twins = TWIN_LABELS.filter(([name, twin]) => labels[name] !== undefined && labels[twin] !== labels[name]);
    if (settledTaints(node, nowMs) === undefined && twins.length === 0) return;
    await this.#objects.update<Node>(this.#nodes, node, (draft) => {
      const taints = settledTaints(draft as Node, nowMs);
      if (taints !== undefined) draft.spec = { ...draft.spec, taints: [...taints] };
      for (const [name, twin] of twins)
        draft.metadata.labels = { ...draft.metadata.labels, [twin]: labels[name] ?? '' };
      return true;
    });
  }

  async #markUnknown(node: Node): Promise<Node | undefined> {
    const conditions = node.status?.conditions ?? [];
    if (REPORTED.every((type) => findCondition(conditions, type)?.status === 'Unknown')) return node;
    const now = timestamp(this.#context.clock.now());
    const written = await this.#objects.updateStatus<Node>(this.#nodes, node, (draft) => {
      draft.status = { ...draft.status, conditions: unknownConditions(draft, now) };
      return true;
    });
    return written;
  }

  /** Reports the pods of a node that has just been lost as not ready. */
  async #settlePods(node: Node, before: string | undefined, state: string | undefined): Promise<void> {
    const { name = '' } = node.metadata;
    if (state === 'True' || state === undefined) {
      this.#lost.delete(name);
      return;
    }
    if (this.#lost.has(name)) return;
    this.#lost.add(name);
    if (before === 'True') this.#events.record(node, 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
    for (const pod of this.#podsOn.get(name)) {
      if (findCondition(pod.status?.conditions, 'Ready')?.status !== 'True') continue;
      const now = timestamp(this.#context.clock.now());
      await this.#objects.updateStatus<Pod>(this.#pods, pod, (draft) => {
        const conditions = (draft.status?.conditions ?? []).map((each) =>
          each.type === 'Ready' ? { ...each, status: 'False', lastTransitionTime: now } : each,
        );
        draft.status = { ...draft.status, conditions };
        return true;
      });
      this.#events.warn(pod, 'NodeNotReady', 'Node is not ready');
    }
  }

  /** The taint that drives pods away, as fast as the zone allows. @returns when the node has its turn */
  async #settleEviction(node: Node, state: string | undefined): Promise<number | undefined> {
    if (state === undefined) return undefined;
    const wanted = evictingTaint(state);
    const isTainted = wanted !== undefined && hasEvictingTaint(node, wanted);
    const isOther = hasOtherEvictingTaint(node, wanted);
    if (isTainted ? !isOther : wanted === undefined && !isOther) return undefined;
    // Only one taint in place of the other needs no turn.
    if (wanted !== undefined && !isTainted && !isOther) {
      const turnMs = this.#zones.turnOf(node, this.#nodes.list(), this.#context.clock.now());
      if (turnMs === undefined) return PERIOD_MS;
      if (turnMs > 0) return turnMs;
    }
    await this.#objects.update<Node>(this.#nodes, node, (draft) => {
      setEvictingTaint(draft, wanted, this.#context.clock.now());
      return true;
    });
    return undefined;
  }
}

function unknownConditions(node: Draft<Node>, now: string) {
  const before = node.status?.conditions ?? [];
  const next = before.map((each) =>
    REPORTED.includes(each.type ?? '') && each.status !== 'Unknown'
      ? {
          ...each,
          ...{ status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' },
          lastTransitionTime: now,
        }
      : each,
  );
  const missing = REPORTED.filter((type) => findCondition(before, type) === undefined).map((type) => ({
    ...{ type, status: 'Unknown', reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' },
    lastHeartbeatTime: node.metadata.creationTimestamp ?? now,
    lastTransitionTime: now,
  }));
  return [...next, ...missing];
}
