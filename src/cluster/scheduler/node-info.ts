// A node as the scheduler sees it, with the pods that run there or have just been assigned to it, and the sums of what
// they occupy. Kept up to date pod by pod.

import type { Labels } from '../../api/label-selector.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Taint } from '../../resources/builtin/core/pod/scheduling-objects.ts';
import { type Amounts, addAmounts, offeredAmounts } from './amounts.ts';
import { UsedPorts } from './host-ports.ts';
import { ASSUMED, COMPARED, FIGURES, MOST_PODS, NodeFigures, OFFERED, PODS, REQUESTED } from './node-figures.ts';
import { hasAffinity, type PodInfo } from './pod-info.ts';

export class NodeInfo {
  readonly name: string;
  readonly figures: NodeFigures;
  /** Where its row begins in `figures`. */
  readonly row: number;
  #node: Node | undefined;
  #labels: Labels;
  #taints: readonly Taint[] | undefined;
  #isUnschedulable = false;
  #allocatable: Amounts = new Map();
  #images: ReadonlyMap<string, number> = new Map();
  readonly #pods: Map<string, PodInfo>;
  readonly #requested: Map<string, number>;
  readonly #assumed: Map<string, number>;
  readonly #ports: UsedPorts;
  readonly #withAffinity: Set<PodInfo>;
  readonly #withAntiAffinity: Set<PodInfo>;

  /** @param figures the table of its figures, in which it takes a row; one of its own by default */
  constructor(name: string, figures = new NodeFigures(1), of?: NodeInfo) {
    this.name = name;
    this.figures = figures;
    this.row = of === undefined ? figures.take() : 0;
    this.#pods = new Map(of?.pods);
    this.#requested = new Map(of?.requested);
    this.#assumed = new Map(of?.assumed);
    this.#ports = new UsedPorts(of?.ports);
    this.#withAffinity = new Set(of?.withAffinity);
    this.#withAntiAffinity = new Set(of?.withAntiAffinity);
    if (of === undefined) return;
    this.#node = of.#node;
    this.#labels = of.#labels;
    this.#taints = of.#taints;
    this.#isUnschedulable = of.#isUnschedulable;
    this.#allocatable = of.#allocatable;
    this.#images = of.#images;
  }

  /** Undefined if only pods of it are known. */
  get node(): Node | undefined {
    return this.#node;
  }

  get labels(): Labels {
    return this.#labels;
  }

  get taints(): readonly Taint[] | undefined {
    return this.#taints;
  }

  /** Whether it takes no new pods. */
  get isUnschedulable(): boolean {
    return this.#isUnschedulable;
  }

  get allocatable(): Amounts {
    return this.#allocatable;
  }

  /** The sizes of the images that are there, in bytes. */
  get images(): ReadonlyMap<string, number> {
    return this.#images;
  }

  /** By UID. */
  get pods(): ReadonlyMap<string, PodInfo> {
    return this.#pods;
  }

  get requested(): Amounts {
    return this.#requested;
  }

  /** Like `requested`, with the assumed requests of pods that request nothing. */
  get assumed(): Amounts {
    return this.#assumed;
  }

  get ports(): UsedPorts {
    return this.#ports;
  }

  /** Pods that say anything about other pods. */
  get withAffinity(): ReadonlySet<PodInfo> {
    return this.#withAffinity;
  }

  /** Pods that other pods must not be near to. */
  get withAntiAffinity(): ReadonlySet<PodInfo> {
    return this.#withAntiAffinity;
  }

  setNode(node: Node | undefined): void {
    if (node?.status?.allocatable !== this.#node?.status?.allocatable || node === undefined) {
      this.#allocatable = offeredAmounts(node?.status?.allocatable);
      const { data } = this.figures;
      for (const name of COMPARED) data[this.row + FIGURES[name] + OFFERED] = this.#allocatable.get(name) ?? 0;
      data[this.row + MOST_PODS] = this.#allocatable.get('pods') ?? 0;
    }
    if (node?.status?.images !== this.#node?.status?.images) this.#images = imagesOf(node);
    this.#node = node;
    this.#labels = node?.metadata.labels;
    this.#taints = node?.spec?.taints;
    this.#isUnschedulable = node?.spec?.unschedulable === true;
  }

  add(pod: PodInfo): void {
    this.#pods.set(pod.uid, pod);
    addAmounts(this.#requested, pod.requests);
    addAmounts(this.#assumed, pod.assumed);
    this.#count();
    for (const each of pod.ports) this.#ports.add(each);
    if (hasAffinity(pod)) this.#withAffinity.add(pod);
    if (pod.antiAffinity.required.length > 0) this.#withAntiAffinity.add(pod);
  }

  /** Does nothing if the pod is not there. */
  remove(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    this.#pods.delete(uid);
    addAmounts(this.#requested, pod.requests, -1);
    addAmounts(this.#assumed, pod.assumed, -1);
    this.#count();
    for (const each of pod.ports) this.#ports.remove(each);
    this.#withAffinity.delete(pod);
    this.#withAntiAffinity.delete(pod);
  }

  #count(): void {
    const { data } = this.figures;
    for (const name of COMPARED) {
      data[this.row + FIGURES[name] + REQUESTED] = this.#requested.get(name) ?? 0;
      data[this.row + FIGURES[name] + ASSUMED] = this.#assumed.get(name) ?? 0;
    }
    data[this.row + PODS] = this.#pods.size;
  }

  /** A copy that can be changed, to try something out. */
  copy(): NodeInfo {
    return new NodeInfo(this.name, this.figures.copyOf(this.row), this);
  }
}

function imagesOf(node: Node | undefined): ReadonlyMap<string, number> {
  const images = new Map<string, number>();
  for (const { names, sizeBytes = 0 } of node?.status?.images ?? []) {
    for (const name of names ?? []) images.set(name, Number(sizeBytes));
  }
  return images;
}
