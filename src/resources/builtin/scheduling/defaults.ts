// What a priority class is when it does not say.

import type { JsonObject } from '../../../api/object.ts';
import { fillIn } from '../../fill-in.ts';

export function priorityClassDefaults(priorityClass: JsonObject): void {
  fillIn(priorityClass, { preemptionPolicy: 'PreemptLowerPriority' });
}
