// The nodes and pods that the scheduler decides by. A pod counts on its node as soon as the scheduler has chosen it, long
// before its binding is written. Nothing changes while a decision is made.

import { equalJson } from '../../api/json-equal.ts';
import type { LabelSelector } from '../../api/label-selector.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import { count, MatchCounts } from './match-counts.ts';
import { NodeFigures } from './node-figures.ts';
import { NodeInfo } from './node-info.ts';
import { byTurns, zoneOf } from './node-order.ts';
import type { PodInfo } from './pod-info.ts';

export class Snapshot {
  /** By name, also those of which only pods are known. */
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #figures = new NodeFigures();
  /** Where each pod is, by UID. */
  readonly #places = new Map<string, NodeInfo>();
  readonly #assumed = new Set<string>();
  readonly #counts = new MatchCounts();
  /** Nodes with pods that say something about other pods, and with pods that keep others away. */
  readonly #withAffinity = new Set<NodeInfo>();
  readonly #withAntiAffinity = new Set<NodeInfo>();
  /** The number of pods that use each claim, by `namespace/name`. */
  readonly #claims = new Map<string, number>();
  /** The number of nodes that have each image. */
  readonly #images = new Map<string, number>();
  #order: NodeInfo[] | undefined;

  /** Existing nodes, in the order in which they are looked at. */
  get nodes(): readonly NodeInfo[] {
    const existing = this.#nodes.values().filter(({ node }) => node !== undefined);
    this.#order ??= byTurns(existing, ({ node }) => zoneOf(node as Node));
    return this.#order;
  }

  get withAffinity(): Iterable<NodeInfo> {
    return this.#withAffinity;
  }

  get withAntiAffinity(): Iterable<NodeInfo> {
    return this.#withAntiAffinity;
  }

  /** An existing node. */
  get(name: string): NodeInfo | undefined {
    const found = this.#nodes.get(name);
    return found?.node === undefined ? undefined : found;
  }

  /** How many pods of a namespace that are not being deleted match, by node. */
  matching(namespace: string, selector: LabelSelector): ReadonlyMap<string, number> {
    return this.#counts.matching({ namespace, selector }, this.#nodes.values());
  }

  usesOfClaim(namespace: string, name: string): number {
    return this.#claims.get(`${namespace}/${name}`) ?? 0;
  }

  /** The number of nodes that have an image. */
  holdersOf(image: string): number {
    return this.#images.get(image) ?? 0;
  }

  setNode(node: Node): void {
    const info = this.#nodeInfo(node.metadata.name ?? '');
    if (info.node === undefined || zoneOf(info.node) !== zoneOf(node)) this.#order = undefined;
    this.#replace(info, node);
  }

  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (info === undefined) return;
    this.#replace(info, undefined);
    this.#order = undefined;
    if (info.pods.size === 0) this.#forget(info);
  }

  /** Puts a pod on a node, in place of its earlier state. @param isAssumed whether its binding has yet to be seen */
  place(pod: PodInfo, node: string, isAssumed = false): void {
    if (this.#renew(pod, node, isAssumed)) return;
    this.remove(pod.uid);
    const info = this.#nodeInfo(node);
    info.add(pod);
    this.#places.set(pod.uid, info);
    if (isAssumed) this.#assumed.add(pod.uid);
    this.#changed(info, pod, 1);
  }

  /** Puts a pod in place of an earlier state of it on the same node that counts like it. @returns whether there was one */
  #renew(pod: PodInfo, node: string, isAssumed: boolean): boolean {
    const info = this.#places.get(pod.uid);
    const before = info?.pods.get(pod.uid);
    if (info?.name !== node || before === undefined || !countAlike(before, pod)) return false;
    info.remove(pod.uid);
    info.add(pod);
    if (isAssumed) this.#assumed.add(pod.uid);
    else this.#assumed.delete(pod.uid);
    return true;
  }

  remove(uid: string): void {
    this.#assumed.delete(uid);
    const info = this.#places.get(uid);
    const pod = this.pod(uid);
    if (info === undefined || pod === undefined) return;
    this.#places.delete(uid);
    info.remove(uid);
    this.#changed(info, pod, -1);
    if (info.node === undefined && info.pods.size === 0) this.#forget(info);
  }

  /** A pod that is on a node. */
  pod(uid: string): PodInfo | undefined {
    return this.#places.get(uid)?.pods.get(uid);
  }

  isAssumed(uid: string): boolean {
    return this.#assumed.has(uid);
  }

  #forget(info: NodeInfo): void {
    this.#nodes.delete(info.name);
    this.#figures.release(info.row);
  }

  #nodeInfo(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (info === undefined) this.#nodes.set(name, (info = new NodeInfo(name, this.#figures)));
    return info;
  }

  #replace(info: NodeInfo, node: Node | undefined): void {
    const before = info.images;
    info.setNode(node);
    if (info.images === before) return;
    for (const image of before.keys()) count(this.#images, image, -1);
    for (const image of info.images.keys()) count(this.#images, image, 1);
  }

  #changed(info: NodeInfo, pod: PodInfo, by: 1 | -1): void {
    this.#counts.changed(pod, info.name, by);
    for (const name of pod.claims) count(this.#claims, `${pod.namespace}/${name}`, by);
    keep(this.#withAffinity, info, info.withAffinity.size > 0);
    keep(this.#withAntiAffinity, info, info.withAntiAffinity.size > 0);
  }
}

/** Whether two states of a pod are the same to whoever counts pods by their labels. */
function countAlike(one: PodInfo, other: PodInfo): boolean {
  const isGoing = ({ pod }: PodInfo) => pod.metadata.deletionTimestamp !== undefined;
  return isGoing(one) === isGoing(other) && equalJson(one.labels ?? {}, other.labels ?? {});
}

function keep<Item>(set: Set<Item>, item: Item, isIn: boolean): void {
  if (isIn) set.add(item);
  else set.delete(item);
}
