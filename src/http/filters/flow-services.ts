// Services of a server that priority and fairness uses.

import type { FlowController } from '../../flowcontrol/flow-controller.ts';
import type { ObjectStats } from '../../flowcontrol/work-estimate.ts';
import type { TimingRatio } from '../../lifecycle/timing-histogram.ts';

/** Statistics about a resource; undefined if nothing is known. */
export type StatsOf = (group: string, version: string, resource: string) => ObjectStats | undefined;

/** Requests waiting or executing, of one kind, as a fraction of the limit. */
export interface KindUtilization {
  readonly waiting: TimingRatio;
  readonly executing: TimingRatio;
}

export interface FlowServices {
  readonly controller: FlowController;
  readonly statsOf: StatsOf;
  readonly utilization: { readonly reading: KindUtilization; readonly writing: KindUtilization };
}
