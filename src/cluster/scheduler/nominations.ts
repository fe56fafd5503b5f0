// Nodes that are kept for pods: those for which others had to go, until they are there.

import type { PodInfo } from './pod-info.ts';

export class Nominations {
  /** The node of each pod, by UID. */
  readonly #nodes = new Map<string, string>();
  /** By node, then by UID. */
  readonly #pods = new Map<string, Map<string, PodInfo>>();

  /** The node that is kept for a pod. */
  nodeOf(uid: string): string | undefined {
    return this.#nodes.get(uid);
  }

  /** The pods that a node is kept for. */
  on(node: string): readonly PodInfo[] {
    const pods = this.#pods.get(node);
    return pods === undefined ? [] : [...pods.values()];
  }

  /** Keeps a node for a pod, and no other one. @param node '' for none */
  set(pod: PodInfo, node: string): void {
    this.remove(pod.uid);
    if (node === '') return;
    this.#nodes.set(pod.uid, node);
    const pods = this.#pods.get(node);
    if (pods === undefined) this.#pods.set(node, new Map([[pod.uid, pod]]));
    else pods.set(pod.uid, pod);
  }

  /**
   * The new state of a pod. A node that has just been chosen may not have been written to it yet.
   * @param before its earlier state
   */
  update(pod: PodInfo, before: PodInfo | undefined): void {
    const written = nominatedNode(pod);
    const wasWritten = before !== undefined && nominatedNode(before) !== '';
    this.set(pod, written === '' && !wasWritten ? (this.nodeOf(pod.uid) ?? '') : written);
  }

  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#nodes.delete(uid);
    const pods = this.#pods.get(node);
    pods?.delete(uid);
    if (pods?.size === 0) this.#pods.delete(node);
  }
}

/** The node that is kept for a pod, as its status says; '' for none. */
export function nominatedNode({ pod }: PodInfo): string {
  return pod.status?.nominatedNodeName ?? '';
}
