// Defaults of PriorityClass, PodGroup and CompositePodGroup.

import type { Draft } from '../../../api/object.ts';
import type { StrategyContext } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import type { PriorityClass } from './v1-objects.ts';
import type { PodGroup as PodGroupV1alpha2 } from './v1alpha2-objects.ts';
import type { CompositePodGroup } from './v1alpha3-objects.ts';
import type { PodGroup } from './v1beta1-objects.ts';

export function priorityClassDefaults(priorityClass: Draft<PriorityClass>): void {
  fillIn(priorityClass, { preemptionPolicy: 'PreemptLowerPriority' });
}

/** Of a PodGroup in 1.36. */
export function podGroupDefaultsV1alpha2({ spec }: Draft<PodGroupV1alpha2>, context: StrategyContext): void {
  if (spec !== undefined && context.gateEnabled('WorkloadAwarePreemption')) fillIn(spec, { disruptionMode: 'Pod' });
}

/** Of a group of pods, or of groups. */
export function groupDefaults({ spec }: Draft<PodGroup | CompositePodGroup>, context: StrategyContext): void {
  if (spec === undefined) return;
  fillIn(spec, { disruptionMode: { single: {} } });
  if (context.gateEnabled('PodGroupPreemptionPolicy')) fillIn(spec, { preemptionPolicy: 'PreemptLowerPriority' });
}
