// Scores of nodes by their resources: how much would be left, and how evenly CPU and memory would be used.

import { ASSUMED, COMPARED, FIGURES, OFFERED, REQUESTED } from '../node-figures.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { BEST } from './normalized.ts';

/** The more is left, the better. */
export function leastAllocatedScores({ assumed }: PodInfo, nodes: readonly NodeInfo[]): number[] {
  const wanted = COMPARED.map((name) => ({ at: FIGURES[name], amount: assumed.get(name) ?? 0 }));
  return nodes.map(({ figures: { data }, row }) => {
    let [sum, count] = [0, 0];
    for (const { at, amount } of wanted) {
      const offered = data[row + at + OFFERED]!;
      if (offered === 0) continue;
      const requested = data[row + at + ASSUMED]! + amount;
      sum += requested > offered ? 0 : Math.trunc(((offered - requested) * BEST) / offered);
      count++;
    }
    return count === 0 ? 0 : Math.trunc(sum / count);
  });
}

/** The less the used shares differ, the better. Undefined for a pod that requests neither. */
export function balanceScores({ requests }: PodInfo, nodes: readonly NodeInfo[]): number[] | undefined {
  const [wantedCpu, wantedMemory] = [requests.get('cpu') ?? 0, requests.get('memory') ?? 0];
  if (wantedCpu === 0 && wantedMemory === 0) return undefined;
  return nodes.map(({ figures: { data }, row }) => {
    const cpu = usedShare(data, row + FIGURES.cpu, wantedCpu);
    const memory = usedShare(data, row + FIGURES.memory, wantedMemory);
    const difference = cpu === undefined || memory === undefined ? 0 : Math.abs((cpu - memory) / 2);
    return Math.trunc((1 - difference) * BEST);
  });
}

/** The share of a resource that would be used, 1 at most; undefined if the node does not offer it. */
function usedShare(data: Float64Array, at: number, wanted: number): number | undefined {
  const offered = data[at + OFFERED]!;
  return offered === 0 ? undefined : Math.min(1, (data[at + REQUESTED]! + wanted) / offered);
}
