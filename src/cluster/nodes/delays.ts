// Times that a node takes for its work: none, or about as long as a real one.

import type { Random } from '../../base/random.ts';

export interface Delays {
  /** Whether probes wait for their initial delays. */
  readonly areReal: boolean;
  pullMs(): number;
  startMs(): number;
  stopMs(): number;
}

export const noDelays: Delays = { areReal: false, pullMs: () => 0, startMs: () => 0, stopMs: () => 0 };

export function realDelays(random: Random): Delays {
  const between = (fromMs: number, toMs: number) => fromMs + random.below(toMs - fromMs);
  return {
    areReal: true,
    pullMs: () => between(500, 2000),
    startMs: () => between(200, 1000),
    stopMs: () => between(50, 500),
  };
}
