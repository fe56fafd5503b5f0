// Filter InterPodAffinity: whether a node is close enough to the pods that a pod wants to be near to, far enough from those
// that it wants to avoid, and far enough from pods that want to avoid it.

import type { Labels } from '../../../api/label-selector.ts';
import { ownMember } from '../../../api/own-member.ts';
import type { Steps } from '../../../base/steps.ts';
import { type Filter, forGood, forNow, type Rejection } from '../filter.ts';
import type { NodeInfo } from '../node-info.ts';
import { type AffinityTerm, type PodInfo, type TermSubject, termMatches } from '../pod-info.ts';
import type { Snapshot } from '../snapshot.ts';
import { type NamespaceLabels, withNamespaces } from '../term-namespaces.ts';

const NOT_NEAR = "node(s) didn't match pod affinity rules";
const TOO_NEAR = "node(s) didn't match pod anti-affinity rules";
const UNWANTED = "node(s) didn't satisfy existing pods anti-affinity rules";
const PODS_IN_STEP = 500;

/** What the terms of one pod say about others, for the pod that is to be placed. */
interface Subject {
  readonly pod: PodInfo;
  readonly namespaceLabels: Labels;
  readonly near: readonly AffinityTerm[];
  readonly far: readonly AffinityTerm[];
}

export function* interPodAffinity(
  pod: PodInfo,
  snapshot: Snapshot,
  namespaces: NamespaceLabels,
): Steps<Filter | undefined> {
  const subject: Subject = {
    ...{ pod, namespaceLabels: namespaces.get(pod.namespace) },
    near: pod.affinity.required.map((term) => withNamespaces(term, namespaces)),
    far: pod.antiAffinity.required.map((term) => withNamespaces(term, namespaces)),
  };
  const filter = new AffinityFilter(subject, [new Places(), new Places(), new Places()]);
  let looked = 0;
  for (const node of snapshot.withAntiAffinity) {
    for (const other of node.withAntiAffinity) {
      filter.existing(other, node, 1);
      if (++looked % PODS_IN_STEP === 0) yield;
    }
  }
  if (subject.near.length + subject.far.length === 0) return filter.isIdle ? undefined : filter;
  for (const node of snapshot.nodes) {
    for (const other of node.pods.values()) {
      filter.incoming(other, node, 1);
      if (++looked % PODS_IN_STEP === 0) yield;
    }
  }
  return filter;
}

class AffinityFilter implements Filter {
  readonly name = 'InterPodAffinity';
  readonly #subject: Subject;
  /** Places with pods that avoid this one, that it wants, and that it avoids. */
  readonly #unwanted: Places;
  readonly #wanted: Places;
  readonly #avoided: Places;

  constructor(subject: Subject, [unwanted, wanted, avoided]: readonly [Places, Places, Places]) {
    this.#subject = subject;
    this.#unwanted = unwanted;
    this.#wanted = wanted;
    this.#avoided = avoided;
  }

  /** Whether no pod avoids the one that is to be placed. */
  get isIdle(): boolean {
    return this.#unwanted.size === 0;
  }

  /** Counts a pod for what it says itself. */
  existing(other: PodInfo, node: NodeInfo, by: 1 | -1): void {
    const { pod, namespaceLabels } = this.#subject;
    for (const term of other.antiAffinity.required) {
      if (termMatches(term, pod, namespaceLabels)) this.#unwanted.change(node, term.topologyKey, by);
    }
  }

  /** Counts a pod for what the one that is to be placed says. */
  incoming(other: PodInfo, node: NodeInfo, by: 1 | -1): void {
    const { near, far } = this.#subject;
    if (matchesAll(near, other)) for (const term of near) this.#wanted.change(node, term.topologyKey, by);
    for (const term of far) {
      if (termMatches(term, other, undefined)) this.#avoided.change(node, term.topologyKey, by);
    }
  }

  moved(other: PodInfo, node: NodeInfo, by: 1 | -1): void {
    this.existing(other, node, by);
    this.incoming(other, node, by);
  }

  copy(): Filter {
    return new AffinityFilter(this.#subject, [this.#unwanted.copy(), this.#wanted.copy(), this.#avoided.copy()]);
  }

  check(node: NodeInfo): Rejection | undefined {
    if (!this.#isNear(node)) return forGood('InterPodAffinity', NOT_NEAR);
    const isTooNear = this.#subject.far.some(({ topologyKey }) => this.#avoided.has(node, topologyKey));
    if (isTooNear) return forNow('InterPodAffinity', TOO_NEAR);
    if (this.#unwanted.hasAny(node)) return forNow('InterPodAffinity', UNWANTED);
    return undefined;
  }

  #isNear(node: NodeInfo): boolean {
    const { near, pod } = this.#subject;
    if (near.some(({ topologyKey }) => ownMember(node.labels, topologyKey) === undefined)) return false;
    if (near.every(({ topologyKey }) => this.#wanted.has(node, topologyKey))) return true;
    // The first pod of a group that wants to be together may go anywhere.
    return this.#wanted.size === 0 && matchesAll(near, pod);
  }
}

function matchesAll(terms: readonly AffinityTerm[], subject: TermSubject): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, subject, undefined));
}

/** Counts of pods by place: a label of nodes and its value. */
class Places {
  readonly #counts: Map<string, Map<string, number>>;

  constructor(counts: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map()) {
    this.#counts = new Map([...counts].map(([key, values]) => [key, new Map(values)]));
  }

  get size(): number {
    return this.#counts.size;
  }

  copy(): Places {
    return new Places(this.#counts);
  }

  change({ labels }: NodeInfo, key: string, by: 1 | -1): void {
    const value = ownMember(labels, key);
    if (value === undefined) return;
    let values = this.#counts.get(key);
    if (values === undefined) this.#counts.set(key, (values = new Map()));
    const count = (values.get(value) ?? 0) + by;
    if (count !== 0) values.set(value, count);
    else if (values.delete(value) && values.size === 0) this.#counts.delete(key);
  }

  has({ labels }: NodeInfo, key: string): boolean {
    const value = ownMember(labels, key);
    return value !== undefined && (this.#counts.get(key)?.get(value) ?? 0) > 0;
  }

  /** Whether there are pods in any place that the node belongs to. */
  hasAny(node: NodeInfo): boolean {
    return this.#counts.keys().some((key) => this.has(node, key));
  }
}
