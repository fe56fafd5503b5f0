// The devices that a claim was given, and what goes with them when it no longer has them.

import type { Draft } from '../../../api/object.ts';
import type { AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaim } from './v1beta2-objects.ts';

export type Device = DeviceRequestAllocationResult | AllocatedDeviceStatus;

/** What drivers report of devices goes when the claim no longer has them. Changes `next`. */
export function dropDeallocatedDevices(next: Draft<ResourceClaim>, previous: ResourceClaim): void {
  const { status } = next;
  if (status?.devices === undefined) return;
  const gone = allocatedDevices(previous);
  for (const device of allocatedDevices(next)) gone.delete(device);
  const kept = status.devices.filter((device) => !gone.has(deviceIdentity(device)));
  if (kept.length > 0) status.devices = kept;
  else delete status.devices;
}

/** The identities of all devices that a claim was given. */
export function allocatedDevices({ status }: Pick<ResourceClaim, 'status'>): Set<string> {
  return new Set((status?.allocation?.devices?.results ?? []).map(deviceIdentity));
}

/** Shares of one device are told apart. */
export function deviceIdentity(device: Device): string {
  return `${deviceName(device)}/${device.shareID ?? ''}`;
}

export function deviceName({ driver, pool, device }: Device): string {
  return [driver, pool, device].join('/');
}
