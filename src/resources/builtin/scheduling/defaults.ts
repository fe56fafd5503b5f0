// What a priority class is when it does not say.

import type { Draft } from '../../../api/object.ts';
import { fillIn } from '../../fill-in.ts';
import type { PriorityClass } from './v1-objects.ts';

export function priorityClassDefaults(priorityClass: Draft<PriorityClass>): void {
  fillIn(priorityClass, { preemptionPolicy: 'PreemptLowerPriority' });
}
