// Defaults of PriorityClass.

import type { Draft } from '../../../api/object.ts';
import { fillIn } from '../../fill-in.ts';
import type { PriorityClass } from './v1-objects.ts';

export function priorityClassDefaults(priorityClass: Draft<PriorityClass>): void {
  fillIn(priorityClass, { preemptionPolicy: 'PreemptLowerPriority' });
}
