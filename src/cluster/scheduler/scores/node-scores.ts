// Scores of nodes by the node itself: preferred labels, taints that only repel, images that are there.

import { matchesTerm } from '../../node-selection.ts';
import { tolerates } from '../../taints.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Snapshot } from '../snapshot.ts';
import { BEST, relativeToHighest } from './normalized.ts';

/** The fewer taints of the effect PreferNoSchedule the pod does not tolerate, the better. */
export function taintScores({ pod }: PodInfo, nodes: readonly NodeInfo[]): number[] {
  const tolerations = pod.spec?.tolerations?.filter(
    ({ effect = '' }) => effect === '' || effect === 'PreferNoSchedule',
  );
  const counts = nodes.map(({ taints }) => {
    const repelling = taints?.filter(({ effect }) => effect === 'PreferNoSchedule') ?? [];
    return repelling.filter((taint) => !tolerates(tolerations, taint)).length;
  });
  return relativeToHighest(counts, true);
}

/** The weights of the preferred terms that a node matches. Undefined without such terms. */
export function affinityScores({ pod }: PodInfo, nodes: readonly NodeInfo[]): number[] | undefined {
  const terms = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
  if (terms === undefined) return undefined;
  const sums = nodes.map(({ node }) => {
    let sum = 0;
    for (const { weight = 0, preference = {} } of terms)
      if (node !== undefined && matchesTerm(preference, node)) sum += weight;
    return sum;
  });
  return relativeToHighest(sums);
}

const MIB = 2 ** 20;
const SMALL_BYTES = 23 * MIB;
const LARGE_BYTES = 1000 * MIB;

/** How much of the pod's images a node has, the more if many nodes have them. Undefined if none has any. */
export function imageScores({ pod }: PodInfo, nodes: readonly NodeInfo[], snapshot: Snapshot): number[] | undefined {
  const { initContainers = [], containers } = pod.spec ?? {};
  const names = [...initContainers, ...(containers ?? [])].map(({ image = '' }) => tagged(image));
  const spreads = names.map((image) => snapshot.holdersOf(image) / snapshot.nodes.length);
  if (!spreads.some((spread) => spread > 0)) return undefined;
  const most = LARGE_BYTES * names.length;
  return nodes.map(({ images }) => {
    let sum = 0;
    for (const [index, image] of names.entries()) sum += Math.trunc((images.get(image) ?? 0) * spreads[index]!);
    const bytes = Math.min(Math.max(sum, SMALL_BYTES), most);
    return Math.trunc((BEST * (bytes - SMALL_BYTES)) / (most - SMALL_BYTES));
  });
}

/** An image name without a tag means the latest one. */
function tagged(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
