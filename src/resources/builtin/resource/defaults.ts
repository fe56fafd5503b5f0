// What requests of devices are when they do not say: one device. Taints bear the time at which they were set.

import type { JsonObject } from '../../../api/object.ts';
import type { BehaviourContext } from '../../definition.ts';
import { fillIn, objectAt, objectsAt } from '../../fill-in.ts';

export function resourceClaimDefaults(claim: JsonObject): void {
  claimSpecDefaults(objectAt(claim, 'spec'));
}

export function resourceClaimTemplateDefaults(template: JsonObject): void {
  claimSpecDefaults(objectAt(objectAt(template, 'spec'), 'spec'));
}

export function resourceSliceDefaults(slice: JsonObject, context: BehaviourContext): void {
  for (const device of objectsAt(objectAt(slice, 'spec'), 'devices')) {
    for (const taint of objectsAt(device, 'taints')) taintDefaults(taint, context);
  }
}

export function deviceTaintRuleDefaults(rule: JsonObject, context: BehaviourContext): void {
  const taint = objectAt(objectAt(rule, 'spec'), 'taint');
  if (taint !== undefined) taintDefaults(taint, context);
}

function claimSpecDefaults(spec: JsonObject | undefined): void {
  for (const request of objectsAt(objectAt(spec, 'devices'), 'requests')) {
    const exactly = objectAt(request, 'exactly');
    if (exactly !== undefined) deviceRequestDefaults(exactly);
    for (const alternative of objectsAt(request, 'firstAvailable')) deviceRequestDefaults(alternative);
  }
}

function deviceRequestDefaults(request: JsonObject): void {
  fillIn(request, { allocationMode: 'ExactCount' });
  if (request['allocationMode'] === 'ExactCount') fillIn(request, { count: 1 });
  for (const toleration of objectsAt(request, 'tolerations')) fillIn(toleration, { operator: 'Equal' });
}

function taintDefaults(taint: JsonObject, { nowMs }: BehaviourContext): void {
  fillIn(taint, { timeAdded: `${new Date(nowMs).toISOString().slice(0, 19)}Z` });
}
