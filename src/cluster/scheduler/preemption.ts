// Preemption: a pod that fits nowhere takes the place of less important ones. Which node that happens on is decided by
// what it costs: broken disruption budgets first, then the importance and the number of the victims.

import type { Random } from '../../base/random.ts';
import type { Steps } from '../../base/steps.ts';
import { findCondition } from '../conditions.ts';
import { unavailable } from './messages.ts';
import type { NodeInfo } from './node-info.ts';
import { nominatedNode } from './nominations.ts';
import { keptFor, type PlacingContext, type Unplaced } from './placing.ts';
import type { PodInfo } from './pod-info.ts';
import { type Candidate, chooseVictims, startMs } from './victims.ts';

/** What preemption has come to: a node, or a message; then the nodes kept for the pod stay as they are, or are given up. */
type PreemptionOutcome = { readonly candidate: Candidate } | { readonly message: string; readonly givesUp: boolean };

const FEWEST_CANDIDATES = 100;
const CANDIDATE_PERCENTAGE = 10;
const NOT_HELPFUL = 'Preemption is not helpful for scheduling';

interface PreemptionContext extends PlacingContext {
  readonly nowMs: number;
}

/** @param unplaced why the pod fits nowhere */
export function* preempting(pod: PodInfo, unplaced: Unplaced, context: PreemptionContext): Steps<PreemptionOutcome> {
  const reason = ineligibility(pod, unplaced, context);
  if (reason !== undefined) return { message: reason, givesUp: false };
  const { snapshot, nominations, random, sources, nowMs } = context;
  const { filters = [], rejections } = unplaced;
  const nodes = [...rejections].filter(([, { isResolvable }]) => isResolvable).map(([node]) => node);
  const enough = Math.min(
    nodes.length,
    Math.max(FEWEST_CANDIDATES, Math.trunc((nodes.length * CANDIDATE_PERCENTAGE) / 100)),
  );
  const budgets = sources.budgets.list();
  const candidates: Candidate[] = [];
  const reasons: (readonly string[])[] = [];
  for (const node of fromRandom(nodes, random)) {
    const kept = keptFor(node, pod, nominations);
    const found = chooseVictims({ pod, node, filters, kept, budgets, nowMs });
    if ('reasons' in found) reasons.push(found.reasons);
    else candidates.push(found);
    yield;
    if (candidates.length >= enough && candidates.some(({ violations }) => violations === 0)) break;
  }
  const best = cheapest(candidates, nowMs);
  if (best !== undefined) return { candidate: best };
  const all = snapshot.nodes.length;
  const others = { reasons: [NOT_HELPFUL], count: all - reasons.length };
  return { message: unavailable({ nodes: all, byNode: reasons, others }), givesUp: true };
}

function* fromRandom(nodes: readonly NodeInfo[], random: Random): Generator<NodeInfo> {
  const first = nodes.length === 0 ? 0 : random.below(nodes.length);
  yield* nodes.slice(first);
  yield* nodes.slice(0, first);
}

/** Why a pod must not preempt others. */
function ineligibility(pod: PodInfo, { rejections }: Unplaced, { snapshot }: PlacingContext): string | undefined {
  if (pod.pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const node = snapshot.get(nominatedNode(pod));
  // A node that will never do is not worth waiting for.
  if (node === undefined || rejections.get(node)?.isResolvable !== true) return undefined;
  const isWaiting = node.pods.values().some((each) => each.priority < pod.priority && isLeaving(each));
  return isWaiting ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

/** Whether a pod is on its way out because of a preemption. */
function isLeaving({ pod: { metadata, status } }: PodInfo): boolean {
  const condition = findCondition(status?.conditions, 'DisruptionTarget');
  const isPreempted = condition?.status === 'True' && condition.reason === 'PreemptionByScheduler';
  return metadata.deletionTimestamp !== undefined && isPreempted;
}

/** Makes sums of priorities of more pods larger, even if priorities are negative. */
const ABOVE_PRIORITIES = 2 ** 31;

/** The candidate that costs least, by one measure after another. @internal */
export function cheapest(candidates: readonly Candidate[], nowMs: number): Candidate | undefined {
  const costs: ((candidate: Candidate) => number)[] = [
    ({ violations }) => violations,
    ({ victims }) => victims[0]!.priority,
    ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + ABOVE_PRIORITIES, 0),
    ({ victims }) => victims.length,
    // The one whose most important victims have run for the shortest time.
    ({ victims }) => -earliestStart(victims, nowMs),
  ];
  let left = candidates;
  for (const cost of costs) {
    const least = Math.min(...left.map(cost));
    left = left.filter((each) => cost(each) === least);
  }
  return left[0];
}

function earliestStart(victims: readonly PodInfo[], nowMs: number): number {
  const highest = victims[0]!.priority;
  return Math.min(...victims.filter(({ priority }) => priority === highest).map((each) => startMs(each, nowMs)));
}
