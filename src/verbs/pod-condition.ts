// Pod conditions written by the server itself.

import { isObject } from '../api/is-object.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { listAt, textAt } from '../resources/value.ts';

interface PodCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Replaces the condition of the same type, keeping its transition time if the status is unchanged. Modifies the pod.
 */
export function setPodCondition(pod: ApiObject, condition: PodCondition, nowMs: number): void {
  const conditions = [...listAt(pod, 'status', 'conditions')];
  const index = conditions.findIndex((each) => textAt(each, 'type') === condition.type);
  const before = conditions[index];
  const stays = textAt(before, 'status') === condition.status;
  const written: JsonObject = {
    lastProbeTime: null,
    lastTransitionTime: stays ? textAt(before, 'lastTransitionTime') : timestamp(nowMs),
    ...condition,
  };
  if (index < 0) conditions.push(written);
  else conditions[index] = written;
  pod.status = { ...(isObject(pod.status) ? pod.status : {}), conditions };
}
