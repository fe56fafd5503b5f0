// Scores of nodes by their resources: how much would be left, and how evenly CPU and memory would be used.

import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { BEST } from './normalized.ts';

const COMPARED = ['cpu', 'memory'];

/** The more is left, the better. */
export function leastAllocatedScores({ assumed }: PodInfo, nodes: readonly NodeInfo[]): number[] {
  return nodes.map((node) => {
    let [sum, count] = [0, 0];
    for (const name of COMPARED) {
      const offered = node.allocatable.get(name) ?? 0;
      if (offered === 0) continue;
      const requested = (node.assumed.get(name) ?? 0) + (assumed.get(name) ?? 0);
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
    const shares = COMPARED.flatMap((name) => {
      const offered = node.allocatable.get(name) ?? 0;
      if (offered === 0) return [];
      return [Math.min(1, ((node.requested.get(name) ?? 0) + (requests.get(name) ?? 0)) / offered)];
    });
    const [cpu = 0, memory = cpu] = shares;
    return Math.trunc((1 - Math.abs((cpu - memory) / 2)) * BEST);
  });
}
