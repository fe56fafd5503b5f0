// A simulated node as the process knows it: what a machine and its kubelet would remember beyond the Node object.

import type { Node } from '../../resources/builtin/core/node/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { findCondition } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { WantedConditions } from './node-conditions.ts';
import { KUBELET, nodeUser } from './node-identity.ts';
import { NodeImages } from './node-images.ts';
import { nodeAddress } from './node-object.ts';
import { type NodeScript, nodeScript, PRESSURE_CONDITIONS, PRESSURES, type Pressure } from './node-script.ts';
import { nodeRange, PodAddresses } from './pod-addresses.ts';

export class SimulatedNode {
  readonly name: string;
  readonly uid: string;
  readonly number: number;
  readonly address: string;
  readonly objects: ClusterObjects;
  readonly events: ClusterEvents;
  readonly images: NodeImages;
  /** Whether it was stopped by a test. */
  stopped = false;
  /** Whether it has reported since it was started. */
  reported = false;
  /** The state of the Node object when its status was last compared; undefined if it must be compared again. */
  seen: Node | undefined;
  /** When the last status was reported. */
  reportedMs: number;
  /** When the lease is to be renewed. */
  leaseDueMs = 0;
  /** When a pod may be evicted next. */
  evictionDueMs = 0;
  /** Whether pods can be created on it, as last reported in an event. */
  unschedulable: boolean;
  /** Set by a test. */
  readonly conditions = new Map<string, string>();
  readonly #podCidr: string;
  #script: { readonly of: Node; readonly script: NodeScript };
  #addresses: { readonly cidr: string; readonly addresses: PodAddresses };

  constructor(context: ClusterContext, node: Node, number: number) {
    const { name = '', uid = '' } = node.metadata;
    const as = nodeUser(name);
    this.name = name;
    this.uid = uid;
    this.number = number;
    this.address = nodeAddress(number);
    this.objects = new ClusterObjects(context, as, KUBELET);
    this.events = new ClusterEvents(context, { component: KUBELET, host: name, as, userAgent: KUBELET });
    this.images = new NodeImages(node.status?.images);
    this.unschedulable = node.spec?.unschedulable ?? false;
    const heartbeat = findCondition(node.status?.conditions, 'Ready')?.lastHeartbeatTime;
    this.reportedMs = Date.parse(heartbeat ?? '') || 0;
    this.#podCidr = nodeRange(context.settings.podCidr, number - 1);
    this.#script = { of: node, script: nodeScript(node) };
    const cidr = node.spec?.podCIDR ?? this.#podCidr;
    this.#addresses = { cidr, addresses: new PodAddresses(cidr) };
  }

  /** How an event about it names it: with its name as UID. */
  get reference() {
    return { kind: 'Node', apiVersion: '', metadata: { name: this.name, uid: this.name } };
  }

  script(node: Node): NodeScript {
    if (this.#script.of !== node) this.#script = { of: node, script: nodeScript(node) };
    return this.#script.script;
  }

  /** Whether its kubelet works. */
  isUp(node: Node): boolean {
    return !this.stopped && !this.script(node).lost;
  }

  /** The addresses of its pods. */
  addresses(node: Node): PodAddresses {
    const cidr = node.spec?.podCIDR ?? this.#podCidr;
    if (cidr !== this.#addresses.cidr) this.#addresses = { cidr, addresses: new PodAddresses(cidr) };
    return this.#addresses.addresses;
  }

  /** What the node is short of. */
  pressures(node: Node): Pressure[] {
    const { pressures } = this.script(node);
    return PRESSURES.filter((pressure) => {
      const set = this.conditions.get(PRESSURE_CONDITIONS[pressure]);
      return set === undefined ? pressures.includes(pressure) : set === 'True';
    });
  }

  /** The conditions that it reports at a time. */
  wantedConditions(node: Node, nowMs: number): WantedConditions {
    const wanted = new Map(this.conditions);
    for (const pressure of this.pressures(node)) wanted.set(PRESSURE_CONDITIONS[pressure], 'True');
    if (!wanted.has('Ready') && nowMs < this.readyAtMs(node)) wanted.set('Ready', 'False');
    return wanted;
  }

  /** From when on it is ready. */
  readyAtMs(node: Node): number {
    const created = Date.parse(node.metadata.creationTimestamp ?? '');
    return Number.isNaN(created) ? 0 : created + this.script(node).slowStartMs;
  }
}

/** A node whose kubelet works, with its Node object. */
export interface UpNode {
  readonly life: SimulatedNode;
  readonly node: Node;
}
