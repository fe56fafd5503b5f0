// Defaults of ResourceClaim, ResourceSlice and DeviceTaintRule: allocation mode and count of requests, and the time at
// which a taint was added.

import type { Draft } from '../../../api/object.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { StrategyContext } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import type { DeviceSubRequest, DeviceToleration, ExactDeviceRequest } from './v1-objects.ts';
import type { DeviceTaintRule } from './v1alpha3-objects.ts';
import type {
  DeviceTaint,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
  ResourceSlice,
} from './v1beta2-objects.ts';

export function resourceClaimDefaults(claim: Draft<ResourceClaim>): void {
  claimSpecDefaults(claim.spec);
  for (const { tolerations } of claim.status?.allocation?.devices?.results ?? []) tolerationDefaults(tolerations);
}

export function resourceClaimTemplateDefaults(template: Draft<ResourceClaimTemplate>): void {
  claimSpecDefaults(template.spec?.spec);
}

export function resourceSliceDefaults(slice: Draft<ResourceSlice>, context: StrategyContext): void {
  for (const device of slice.spec?.devices ?? []) {
    for (const taint of device.taints ?? []) taintDefaults(taint, context);
  }
}

export function deviceTaintRuleDefaults(rule: Draft<DeviceTaintRule>, context: StrategyContext): void {
  const taint = rule.spec?.taint;
  if (taint !== undefined) taintDefaults(taint, context);
}

/** From 1.36 on the time of a taint is that of its effect. */
export function renewTaintTime(
  next: Draft<DeviceTaintRule>,
  { spec }: DeviceTaintRule,
  context: StrategyContext,
): void {
  const [taint, before] = [next.spec?.taint, spec?.taint];
  if (taint === undefined || !isSince(context, 36)) return;
  if (taint.effect === before?.effect || taint.timeAdded !== before?.timeAdded) return;
  taint.timeAdded = timestamp(context.nowMs);
}

function claimSpecDefaults(spec: Draft<ResourceClaimSpec> | undefined): void {
  for (const request of spec?.devices?.requests ?? []) {
    const exactly = request.exactly;
    if (exactly !== undefined) deviceRequestDefaults(exactly);
    for (const alternative of request.firstAvailable ?? []) deviceRequestDefaults(alternative);
  }
}

function deviceRequestDefaults(request: Draft<ExactDeviceRequest | DeviceSubRequest>): void {
  fillIn(request, { allocationMode: 'ExactCount' });
  if (request.allocationMode === 'ExactCount') fillIn(request, { count: 1 });
  tolerationDefaults(request.tolerations);
}

function tolerationDefaults(tolerations: Draft<DeviceToleration>[] = []): void {
  for (const toleration of tolerations) fillIn(toleration, { operator: 'Equal' });
}

function taintDefaults(taint: Draft<DeviceTaint>, context: StrategyContext): void {
  fillIn(taint, { timeAdded: timestamp(context.nowMs) });
}
