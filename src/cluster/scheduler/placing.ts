// The choice of a node for a pod: nodes that pass all filters, and of those one with the highest score. Of many nodes only
// so many are looked at as are needed to find enough, beginning where the last pod's search has ended.

import type { Random } from '../../base/random.ts';
import type { Steps } from '../../base/steps.ts';
import { copied, type Filter, type FilterName, firstRejection, type Rejection } from './filter.ts';
import { unavailable, unavailableEverywhere } from './messages.ts';
import type { NodeInfo } from './node-info.ts';
import { type Nominations, nominatedNode } from './nominations.ts';
import type { PodInfo } from './pod-info.ts';
import { preparing, scoring, type World } from './profile.ts';

export interface PlacingContext extends World {
  readonly nominations: Nominations;
  readonly random: Random;
  /** Where the search begins; the search moves it on. */
  readonly cursor: { at: number };
}

/** A node for a pod. */
export interface Placement {
  readonly node: NodeInfo;
  readonly filters: readonly Filter[];
}

/** Why there is none. */
export interface Unplaced {
  readonly message: string;
  readonly rejectedBy: ReadonlySet<FilterName>;
  /** The filters, for finding out whether other pods are to go; undefined if the pod was rejected without looking at nodes. */
  readonly filters: readonly Filter[] | undefined;
  /** The rejection of each node that was looked at. */
  readonly rejections: ReadonlyMap<NodeInfo, Rejection>;
  /** The rejection of all nodes, without looking at them. */
  readonly everywhere: Rejection | undefined;
}

const FEWEST_NODES = 100;
const LEAST_PERCENTAGE = 5;
const NODES_IN_STEP = 50;

export function isPlaced(outcome: Placement | Unplaced): outcome is Placement {
  return 'node' in outcome;
}

/**
 * How many nodes that would do are enough, of so many. kube-scheduler's adaptive percentageOfNodesToScore.
 * @internal
 */
export function enoughNodes(all: number): number {
  if (all < FEWEST_NODES) return all;
  const percentage = Math.max(LEAST_PERCENTAGE, 50 - Math.trunc(all / 125));
  return Math.max(FEWEST_NODES, Math.trunc((all * percentage) / 100));
}

/** The rejection of a pod by a node, on which others count for which it is kept. */
export function rejectionOn(
  filters: readonly Filter[],
  node: NodeInfo,
  kept: readonly PodInfo[],
): Rejection | undefined {
  if (kept.length > 0) {
    const trial = node.copy();
    const trialFilters = copied(filters);
    for (const each of kept) {
      trial.add(each);
      for (const filter of trialFilters) filter.moved?.(each, trial, 1);
    }
    const rejection = firstRejection(trialFilters, trial);
    if (rejection !== undefined) return rejection;
  }
  // The pods that it is kept for may come to another node in the end.
  return firstRejection(filters, node);
}

/** The pods for which a node is kept and which the pod does not come before. */
export function keptFor(node: NodeInfo, pod: PodInfo, nominations: Nominations): readonly PodInfo[] {
  return nominations.on(node.name).filter((each) => each.priority >= pod.priority && each.uid !== pod.uid);
}

export function* placing(pod: PodInfo, context: PlacingContext): Steps<Placement | Unplaced> {
  const { snapshot, random } = context;
  const all = snapshot.nodes;
  if (all.length === 0) return withoutNodes();
  const filters = yield* preparing(pod, context);
  if ('reasons' in filters) {
    return {
      message: unavailableEverywhere(all.length, filters.reasons.join(', ')),
      rejectedBy: new Set([filters.by]),
      ...{ filters: undefined, rejections: new Map(), everywhere: filters },
    };
  }
  const nominated = snapshot.get(nominatedNode(pod));
  const isFree =
    nominated !== undefined &&
    rejectionOn(filters, nominated, keptFor(nominated, pod, context.nominations)) === undefined;
  if (isFree) return { node: nominated, filters };
  const { found, rejections, restriction } = yield* searching(pod, filters, context);
  if (found.length === 0) return unplaced({ all, filters, rejections, restriction });
  if (found.length === 1) return { node: found[0]!, filters };
  const scores = yield* scoring(pod, found, context);
  const best = Math.max(...scores);
  const choice = found.filter((_, index) => scores[index] === best);
  return { node: choice[random.below(choice.length)]!, filters };
}

interface Search {
  /** Nodes that would do. */
  readonly found: readonly NodeInfo[];
  readonly rejections: ReadonlyMap<NodeInfo, Rejection>;
  /** The filters that have named the only nodes that are considered. */
  readonly restriction: readonly FilterName[];
}

function* searching(pod: PodInfo, filters: readonly Filter[], context: PlacingContext): Steps<Search> {
  const { snapshot, nominations, cursor } = context;
  const all = snapshot.nodes;
  const restricting = filters.filter(({ nodeNames }) => nodeNames !== undefined);
  const [first, ...others] = restricting.map(({ nodeNames }) => nodeNames as ReadonlySet<string>);
  const names = first === undefined ? undefined : [...first].filter((name) => others.every((each) => each.has(name)));
  const nodes = names === undefined ? all : names.flatMap((name) => snapshot.get(name) ?? []);
  const enough = enoughNodes(nodes.length);
  const found: NodeInfo[] = [];
  const rejections = new Map<NodeInfo, Rejection>();
  for (let looked = 0; looked < nodes.length && found.length < enough; looked++) {
    const node = nodes[(cursor.at + looked) % nodes.length]!;
    const rejection = rejectionOn(filters, node, keptFor(node, pod, nominations));
    if (rejection === undefined) found.push(node);
    else rejections.set(node, rejection);
    if (looked % NODES_IN_STEP === NODES_IN_STEP - 1) yield;
  }
  cursor.at = (cursor.at + found.length + rejections.size) % all.length;
  return { found, rejections, restriction: restricting.map(({ name }) => name) };
}

function unplaced({
  all,
  filters,
  rejections,
  restriction,
}: Omit<Search, 'found'> & { readonly all: readonly NodeInfo[]; readonly filters: readonly Filter[] }): Unplaced {
  const reason = `node(s) didn't satisfy plugin(s) [${restriction.toSorted().join(' ')}]`;
  const message = unavailable({
    nodes: all.length,
    byNode: rejections.values().map(({ reasons }) => reasons),
    ...(restriction.length === 0 ? {} : { others: { reasons: [reason], count: all.length - rejections.size } }),
  });
  const rejectedBy = new Set<FilterName>([...restriction, ...rejections.values().map(({ by }) => by)]);
  return { message, rejectedBy, filters, rejections, everywhere: undefined };
}

/** A pod that waits for the first node waits for one that takes it. */
function withoutNodes(): Unplaced {
  return {
    message: 'no nodes available to schedule pods',
    rejectedBy: new Set<FilterName>(['NodeUnschedulable', 'NodeResourcesFit']),
    ...{ filters: [], rejections: new Map(), everywhere: undefined },
  };
}
