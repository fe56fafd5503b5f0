// Life of the simulated nodes: they are registered, renew their leases and report their status, as long as they are up.

import { isTaken } from '../../api/error-reasons.ts';
import { equalJson } from '../../api/json-equal.ts';
import type { Draft } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import { WorkQueue } from '../../controllers/work-queue.ts';
import type { Lease } from '../../resources/builtin/coordination/v1-objects.ts';
import type { Node, NodeStatus } from '../../resources/builtin/core/node/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { isSetTrue } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import type { Informer } from '../informer.ts';
import { SIMULATED } from './annotations.ts';
import { conditionEvents, haveChanged } from './node-conditions.ts';
import { KUBELET, nodeUser } from './node-identity.ts';
import { NodeImages } from './node-images.ts';
import { nextRenewalMs, renewLease } from './node-leases.ts';
import { type NodeFacts, nodeAddress, nodeNumber, nodeStatus, registeredNode } from './node-object.ts';
import { isSimulated, type Pressure } from './node-script.ts';
import { SimulatedNode } from './simulated-node.ts';
import type { Wakes } from './wakes.ts';

/** An unchanged status is reported this often, and changes of images at the next of these times. Kubelet's values. */
const HEARTBEAT_MS = 300_000;
const STATUS_CHECK_MS = 10_000;
/** How often a node that is short of something evicts a pod. The kubelet's value. */
const EVICTION_MS = 10_000;
const NAME_PREFIX = 'node-';

interface NodeFollower {
  /** A node has come up or gone down. */
  changed(name: string): void;
  /** A node that is short of something may evict a pod. */
  starved(name: string, pressure: Pressure): void;
}

interface NodeLivesNeeds {
  readonly context: ClusterContext;
  readonly nodes: Informer<Node>;
  readonly leases: Informer<Lease>;
  readonly wakes: Wakes;
  readonly follower: NodeFollower;
  /** Whether something else drives the status of nodes; their leases are renewed all the same. */
  readonly isDriven: () => boolean;
}

export class NodeLives {
  readonly #needs: NodeLivesNeeds;
  readonly #queue: WorkQueue<string>;
  readonly #lives = new Map<string, SimulatedNode>();
  /** Names by number. */
  readonly #numbers = new Map<number, string>();
  /** Nodes that are to be registered. */
  readonly #toRegister = new Set<string>();
  /** Whether each node was up when last looked at. */
  readonly #up = new Set<string>();

  constructor(needs: NodeLivesNeeds) {
    this.#needs = needs;
    const { context } = needs;
    this.#queue = new WorkQueue<string>({
      name: 'node-simulation',
      context,
      concurrency: limits.controllerWrites,
      work: (name) => this.#live(name),
    });
  }

  start(): void {
    const { context, nodes } = this.#needs;
    for (let number = 1; number <= context.settings.nodes; number++) {
      const name = `${NAME_PREFIX}${number}`;
      this.#numbers.set(number, name);
      if (nodes.get('', name) === undefined) this.#toRegister.add(name);
      this.#queue.add(name);
    }
    nodes.follow({
      changed: ({ metadata }) => this.#queue.add(metadata.name ?? ''),
      removed: ({ metadata }) => this.#queue.add(metadata.name ?? ''),
    });
    this.#queue.start();
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  /** Looks at a node again. */
  touch(name: string): void {
    const life = this.#lives.get(name);
    if (life !== undefined) life.seen = undefined;
    this.#queue.add(name);
  }

  /** Looks at all nodes again. */
  touchAll(): void {
    for (const name of this.#lives.keys()) this.touch(name);
  }

  /** A node whose kubelet works, with its Node object; undefined for any other. */
  up(name: string): { readonly life: SimulatedNode; readonly node: Node } | undefined {
    const life = this.#lives.get(name);
    const node = this.#needs.nodes.get('', name);
    if (life === undefined || node?.metadata.uid !== life.uid || !life.isUp(node)) return undefined;
    return { life, node };
  }

  /** A simulated node; undefined for any other. */
  get(name: string): SimulatedNode | undefined {
    return this.#lives.get(name);
  }

  /** The simulated node with a name or an address; undefined for any other. */
  nameOf(host: string): string | undefined {
    const number = nodeNumber(host);
    const name = number === undefined ? host : this.#numbers.get(number);
    return name !== undefined && this.#lives.has(name) ? name : undefined;
  }

  /** A node has more images: its status is reported in time. */
  imagesChanged({ name, reportedMs }: SimulatedNode): void {
    const { context, wakes } = this.#needs;
    const dueMs = Math.max(reportedMs + STATUS_CHECK_MS, context.clock.now());
    wakes.set(`images/${name}`, dueMs, () => this.touch(name));
  }

  async #live(name: string): Promise<undefined> {
    const { nodes } = this.#needs;
    const node = nodes.get('', name);
    if (node === undefined && this.#toRegister.has(name)) return this.#register(name);
    if (node === undefined || !isSimulated(node)) return this.#forget(name);
    const life = this.#lifeOf(node);
    const isUp = life.isUp(node);
    if (isUp && !this.#needs.isDriven() && this.#isToReport(life, node)) await this.#report(life, node);
    if (isUp !== this.#up.has(name)) {
      if (isUp) this.#up.add(name);
      else this.#up.delete(name);
      this.#needs.follower.changed(name);
    }
    if (isUp) await this.#keepAlive(life, node);
    else this.#needs.wakes.cancel(`node/${name}`);
    return undefined;
  }

  /** Renews the lease if it is time, and sets the next time. */
  async #keepAlive(life: SimulatedNode, node: Node): Promise<void> {
    const { context, wakes, nodes, leases, follower, isDriven } = this.#needs;
    const nowMs = context.clock.now();
    if (nowMs >= life.leaseDueMs) {
      await renewLease(leases, life, nowMs);
      life.leaseDueMs = nextRenewalMs(life.number, nodes.size, nowMs);
    }
    const readyAtMs = life.readyAtMs(node);
    const reportMs = Math.min(life.reportedMs + HEARTBEAT_MS, readyAtMs > nowMs ? readyAtMs : Number.POSITIVE_INFINITY);
    const dueMs = isDriven() ? life.leaseDueMs : Math.min(life.leaseDueMs, reportMs);
    wakes.set(`node/${life.name}`, dueMs, () => this.#queue.add(life.name));
    if (isDriven()) return;
    const [pressure] = life.pressures(node);
    if (pressure === undefined || nowMs < life.evictionDueMs) return;
    life.evictionDueMs = nowMs + EVICTION_MS;
    follower.starved(life.name, pressure);
  }

  async #register(name: string): Promise<undefined> {
    const { context, nodes, isDriven } = this.#needs;
    const number = Number(name.slice(NAME_PREFIX.length));
    const facts = this.#facts(name, number, { conditions: new Map(), images: new NodeImages() });
    const objects = new ClusterObjects(context, nodeUser(name), KUBELET);
    try {
      const node = registeredNode(facts, { [SIMULATED]: 'true' });
      if (isDriven()) delete node.status?.conditions;
      await objects.create<Node>(nodes, node);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    this.#toRegister.delete(name);
    return undefined;
  }

  #lifeOf(node: Node): SimulatedNode {
    const { name = '', uid } = node.metadata;
    const known = this.#lives.get(name);
    if (known?.uid === uid && known !== undefined) return known;
    if (known !== undefined) this.#forget(name);
    const life = new SimulatedNode(this.#needs.context, node, this.#numberOf(node));
    this.#lives.set(name, life);
    return life;
  }

  /** The number of a node, which determines its addresses. */
  #numberOf({ metadata: { name = '' }, status }: Node): number {
    const [, digits] = new RegExp(`^${NAME_PREFIX}(\\d+)$`).exec(name) ?? [];
    const internal = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    for (const number of [Number(digits), nodeNumber(internal)]) {
      if (number === undefined || !(number > 0) || number > limits.simulatedNodes) continue;
      if ((this.#numbers.get(number) ?? name) !== name) continue;
      this.#numbers.set(number, name);
      return number;
    }
    let free = this.#needs.context.settings.nodes + 1;
    while (this.#numbers.has(free)) free++;
    this.#numbers.set(free, name);
    return free;
  }

  #forget(name: string): undefined {
    const { wakes, follower } = this.#needs;
    const life = this.#lives.get(name);
    if (life === undefined) return undefined;
    this.#lives.delete(name);
    this.#up.delete(name);
    this.#numbers.delete(life.number);
    wakes.cancel(`node/${name}`);
    wakes.cancel(`images/${name}`);
    follower.changed(name);
    return undefined;
  }

  /** Whether its status can have changed since it was last compared, or is to be reported anyway. */
  #isToReport(life: SimulatedNode, node: Node): boolean {
    const nowMs = this.#needs.context.clock.now();
    if (life.seen !== node || !life.reported || nowMs >= life.reportedMs + HEARTBEAT_MS) return true;
    return !isSetTrue(node.status?.conditions, 'Ready');
  }

  /** Reports the status of a node if it has changed, or as a heartbeat. */
  async #report(life: SimulatedNode, node: Node): Promise<void> {
    const { context, nodes } = this.#needs;
    const nowMs = context.clock.now();
    const isFirst = !life.reported;
    const facts = this.#facts(life.name, life.number, {
      conditions: life.wantedConditions(node, nowMs),
      images: life.images,
    });
    const beats = nowMs >= life.reportedMs + HEARTBEAT_MS;
    const before = node.status ?? {};
    const next = nodeStatus(before, facts);
    if (beats || differs(before, next)) {
      await life.objects.updateStatus<Node>(nodes, node, (draft) => {
        draft.status = nodeStatus(draft.status as NodeStatus | undefined, facts) as Draft<NodeStatus>;
        return true;
      });
      life.reportedMs = nowMs;
    }
    life.reported = true;
    life.seen = node;
    this.#tell(life, node, { before: isFirst ? {} : before, next, isFirst });
  }

  #tell(
    life: SimulatedNode,
    node: Node,
    { before, next, isFirst }: { readonly before: NodeStatus; readonly next: NodeStatus; readonly isFirst: boolean },
  ): void {
    const { events, reference, name } = life;
    const record = (reason: string, message: string) => events.record(reference, reason, message);
    const tellStatus = (reason: string) => record(reason, `Node ${name} status is now: ${reason}`);
    if (isFirst) {
      record('Starting', 'Starting kubelet.');
      for (const fault of life.script(node).faults) events.warn(reference, 'InvalidSimulation', fault);
    }
    for (const { reason } of conditionEvents(before.conditions ?? [], next.conditions ?? [])) tellStatus(reason);
    if (isFirst) record('NodeAllocatableEnforced', 'Updated Node Allocatable limit across pods');
    const unschedulable = node.spec?.unschedulable ?? false;
    if (unschedulable !== life.unschedulable) tellStatus(unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable');
    life.unschedulable = unschedulable;
  }

  #facts(name: string, number: number, own: Pick<NodeFacts, 'conditions' | 'images'>): NodeFacts {
    const { catalog, clock, random } = this.#needs.context;
    const address = nodeAddress(number);
    return { name, address, minor: catalog.minor, nowMs: clock.now(), uuid: () => random.uuid(), ...own };
  }
}

/** Whether a status says anything new; the times of heartbeats are not counted. */
function differs(before: NodeStatus, next: NodeStatus): boolean {
  if (haveChanged(before.conditions ?? [], next.conditions ?? [])) return true;
  return !equalJson({ ...before, conditions: [] }, { ...next, conditions: [] });
}
