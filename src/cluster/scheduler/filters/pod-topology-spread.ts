// Filter PodTopologySpread: whether the pods that a constraint is about stay evenly spread over the domains of a topology
// if one more comes to a node.

import { ownMember } from '../../../api/own-member.ts';
import type { Steps } from '../../../base/steps.ts';
import { type Filter, forGood, forNow, type Rejection } from '../filter.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Snapshot } from '../snapshot.ts';
import { isCountedNode, type SpreadConstraint, spreadConstraints } from '../spread-constraint.ts';

const UNEVEN = "node(s) didn't match pod topology spread constraints";
const UNLABELLED = `${UNEVEN} (missing required label)`;
const NODES_IN_STEP = 200;

/** The pods in each domain of a constraint. */
type Domains = Map<string, number>;

export function* podTopologySpread(pod: PodInfo, snapshot: Snapshot): Steps<Filter | undefined> {
  const constraints = spreadConstraints(pod, 'DoNotSchedule');
  if (constraints.length === 0) return undefined;
  const domains = constraints.map((): Domains => new Map());
  const counts = constraints.map(({ selector }) => snapshot.matching(pod.namespace, selector));
  for (const [at, node] of snapshot.nodes.entries()) {
    if (at % NODES_IN_STEP === NODES_IN_STEP - 1) yield;
    if (!hasLabels(node, constraints)) continue;
    for (const [index, constraint] of constraints.entries()) {
      if (!isCountedNode(constraint, pod.pod, node)) continue;
      change(domains[index]!, domainOf(node, constraint), counts[index]!.get(node.name) ?? 0);
    }
  }
  return new SpreadFilter(pod, constraints, domains);
}

class SpreadFilter implements Filter {
  readonly name = 'PodTopologySpread';
  readonly #pod: PodInfo;
  readonly #constraints: readonly SpreadConstraint[];
  readonly #domains: readonly Domains[];
  /** The least number of pods in a domain, by constraint, until pods move. */
  #least: number[] | undefined;

  constructor(pod: PodInfo, constraints: readonly SpreadConstraint[], domains: readonly Domains[]) {
    this.#pod = pod;
    this.#constraints = constraints;
    this.#domains = domains;
  }

  check(node: NodeInfo): Rejection | undefined {
    this.#least ??= this.#constraints.map(({ minDomains }, index) => leastOf(this.#domains[index]!, minDomains));
    for (const [index, constraint] of this.#constraints.entries()) {
      const domain = ownMember(node.labels, constraint.topologyKey);
      if (domain === undefined) return forGood('PodTopologySpread', UNLABELLED);
      const own = constraint.selector.matches(this.#pod.labels) ? 1 : 0;
      const skew = (this.#domains[index]!.get(domain) ?? 0) + own - this.#least[index]!;
      if (skew > constraint.maxSkew) return forNow('PodTopologySpread', UNEVEN);
    }
    return undefined;
  }

  moved(other: PodInfo, node: NodeInfo, by: 1 | -1): void {
    if (other.namespace !== this.#pod.namespace || !hasLabels(node, this.#constraints)) return;
    for (const [index, constraint] of this.#constraints.entries()) {
      if (!constraint.selector.matches(other.labels) || !isCountedNode(constraint, this.#pod.pod, node)) continue;
      change(this.#domains[index]!, domainOf(node, constraint), by);
    }
    this.#least = undefined;
  }

  copy(): Filter {
    const domains = this.#domains.map((each) => new Map(each));
    return new SpreadFilter(this.#pod, this.#constraints, domains);
  }
}

function hasLabels({ labels }: NodeInfo, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(({ topologyKey }) => ownMember(labels, topologyKey) !== undefined);
}

function domainOf({ labels }: NodeInfo, { topologyKey }: SpreadConstraint): string {
  return ownMember(labels, topologyKey) ?? '';
}

function change(domains: Domains, domain: string, by: number): void {
  domains.set(domain, (domains.get(domain) ?? 0) + by);
}

/** With fewer domains than wanted, one without pods is taken to exist. Without any, any number is at most that. */
function leastOf(domains: Domains, minDomains: number): number {
  if (domains.size < minDomains) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (const pods of domains.values()) least = Math.min(least, pods);
  return least;
}
