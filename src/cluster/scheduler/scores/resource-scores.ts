// Scores of nodes by their resources: how much would be left, and how evenly CPU and memory would be used.

import type { Amounts } from '../amounts.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { BEST } from './normalized.ts';

const COMPARED = ['cpu', 'memory'];

/** The more is left, the better. */
export function leastAllocatedScores({ assumed }: PodInfo, nodes: readonly NodeInfo[]): number[] {
  const wanted = COMPARED.map((name) => assumed.get(name) ?? 0);
  return nodes.map((node) => {
    let [sum, count] = [0, 0];
    for (let index = 0; index < COMPARED.length; index++) {
      const offered = node.allocatable.get(COMPARED[index]!) ?? 0;
      if (offered === 0) continue;
      const requested = (node.assumed.get(COMPARED[index]!) ?? 0) + wanted[index]!;
      sum += requested > offered ? 0 : Math.trunc(((offered - requested) * BEST) / offered);
      count++;
    }
    return count === 0 ? 0 : Math.trunc(sum / count);
  });
}

/** The less the used shares differ, the better. Undefined for a pod that requests neither. */
export function balanceScores({ requests }: PodInfo, nodes: readonly NodeInfo[]): number[] | undefined {
  if (COMPARED.every((name) => (requests.get(name) ?? 0) === 0)) return undefined;
  return nodes.map((node) => {
    const cpu = usedShare('cpu', node, requests);
    const memory = usedShare('memory', node, requests);
    const difference = cpu === undefined || memory === undefined ? 0 : Math.abs((cpu - memory) / 2);
    return Math.trunc((1 - difference) * BEST);
  });
}

/** The share of a resource that would be used, 1 at most; undefined if the node does not offer it. */
function usedShare(name: string, { allocatable, requested }: NodeInfo, requests: Amounts): number | undefined {
  const offered = allocatable.get(name) ?? 0;
  return offered === 0 ? undefined : Math.min(1, ((requested.get(name) ?? 0) + (requests.get(name) ?? 0)) / offered);
}
