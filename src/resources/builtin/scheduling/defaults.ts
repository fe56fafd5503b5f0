// Defaults of PriorityClass, PodGroup and CompositePodGroup.

import type { Draft } from '../../../api/object.ts';
import type { StrategyContext } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import type { PriorityClass } from './v1-objects.ts';
import type { CompositePodGroup } from './v1alpha3-objects.ts';
import type { PodGroup } from './v1beta1-objects.ts';

export function priorityClassDefaults(priorityClass: Draft<PriorityClass>): void {
  fillIn(priorityClass, { preemptionPolicy: 'PreemptLowerPriority' });
}

/** Of a group of pods, or of groups. */
export function preemptionDefaults({ spec }: Draft<PodGroup | CompositePodGroup>, context: StrategyContext): void {
  if (spec !== undefined && context.gateEnabled('PodGroupPreemptionPolicy')) {
    fillIn(spec, { preemptionPolicy: 'PreemptLowerPriority' });
  }
}
