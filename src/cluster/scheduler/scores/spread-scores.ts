// Score PodTopologySpread: the fewer pods of the same set are in the domains of a node, the better.

import type { LabelSelector } from '../../../api/label-selector.ts';
import { ownMember } from '../../../api/own-member.ts';
import type { Steps } from '../../../base/steps.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Snapshot } from '../snapshot.ts';
import { defaultConstraints, isCountedNode, type SpreadConstraint, spreadConstraints } from '../spread-constraint.ts';
import { BEST } from './normalized.ts';

const HOSTNAME = 'kubernetes.io/hostname';
const NODES_IN_STEP = 200;
/** That of nodes without the label, which get no score by it. */
const NO_DOMAIN = '';

/** A constraint with what is counted for it. */
interface Counted extends SpreadConstraint {
  readonly byNode: ReadonlyMap<string, number>;
  /** By domain; unused for host names, each of which is a node. */
  readonly byDomain: Map<string, number>;
  /** The more domains there are, the more each pod counts. */
  readonly weight: number;
}

/** @param selector of the pods of its set, for a pod without constraints. Undefined if there is nothing to compare. */
export function* spreadScores(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  { snapshot, selector }: { readonly snapshot: Snapshot; readonly selector: LabelSelector },
): Steps<number[] | undefined> {
  const isExplicit = (pod.pod.spec?.topologySpreadConstraints ?? []).length > 0;
  const given = isExplicit
    ? spreadConstraints(pod, 'ScheduleAnyway')
    : selector.empty
      ? []
      : defaultConstraints(selector);
  if (given.length === 0) return undefined;
  const isLabelled = isExplicit
    ? ({ labels }: NodeInfo) => given.every(({ topologyKey }) => ownMember(labels, topologyKey) !== undefined)
    : () => true;
  const candidates = nodes.filter(isLabelled);
  const counted = given.map((each) => withDomains(each, candidates, snapshot.matching(pod.namespace, each.selector)));
  const byDomain = counted.filter((each) => each.byDomain.keys().some((domain) => domain !== NO_DOMAIN));
  if (byDomain.length > 0) {
    for (const [at, node] of snapshot.nodes.entries()) {
      if (at % NODES_IN_STEP === NODES_IN_STEP - 1) yield;
      if (isLabelled(node)) for (const each of byDomain) countNode(each, pod, node);
    }
  }
  return normalized(nodes.map((node) => (isLabelled(node) ? scoreOf(node, counted) : undefined)));
}

function withDomains(
  constraint: SpreadConstraint,
  candidates: readonly NodeInfo[],
  byNode: ReadonlyMap<string, number>,
): Counted {
  const byDomain = new Map<string, number>();
  const isHost = constraint.topologyKey === HOSTNAME;
  if (!isHost)
    for (const node of candidates) byDomain.set(ownMember(node.labels, constraint.topologyKey) ?? NO_DOMAIN, 0);
  const size = isHost ? candidates.length : byDomain.size;
  return { ...constraint, byNode, byDomain, weight: Math.log(size + 2) };
}

function countNode(constraint: Counted, { pod }: PodInfo, node: NodeInfo): void {
  const { byDomain, byNode } = constraint;
  const pods = byNode.get(node.name);
  if (pods === undefined || byDomain.size === 0) return;
  const domain = ownMember(node.labels, constraint.topologyKey) ?? NO_DOMAIN;
  const before = byDomain.get(domain);
  if (before !== undefined && isCountedNode(constraint, pod, node)) byDomain.set(domain, before + pods);
}

function scoreOf({ labels, name }: NodeInfo, constraints: readonly Counted[]): number {
  let score = 0;
  for (const { topologyKey, maxSkew, byNode, byDomain, weight } of constraints) {
    const domain = ownMember(labels, topologyKey);
    if (domain === undefined) continue;
    const pods = topologyKey === HOSTNAME ? byNode.get(name) : byDomain.get(domain);
    score += (pods ?? 0) * weight + maxSkew - 1;
  }
  return Math.round(score);
}

/** @param scores undefined for nodes that lack a label */
function normalized(scores: readonly (number | undefined)[]): number[] {
  const known = scores.filter((score) => score !== undefined);
  const [lowest, highest] = [Math.min(...known), Math.max(0, ...known)];
  return scores.map((score) => {
    if (score === undefined) return 0;
    return highest === 0 ? BEST : Math.trunc((BEST * (highest + lowest - score)) / highest);
  });
}
