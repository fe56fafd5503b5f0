// Allocated devices of a claim, and their status when they are no longer allocated.

import type { Draft } from '../../../api/object.ts';
import type { AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaim } from './v1beta2-objects.ts';

export type Device = DeviceRequestAllocationResult | AllocatedDeviceStatus;

/** Drops the status of devices that are no longer allocated. Modifies `next`. */
export function dropDeallocatedDevices(next: Draft<ResourceClaim>, previous: ResourceClaim): void {
  const { status } = next;
  if (status?.devices === undefined) return;
  const gone = allocatedDevices(previous);
  for (const device of allocatedDevices(next)) gone.delete(device);
  const kept = status.devices.filter((device) => !gone.has(deviceIdentity(device)));
  if (kept.length > 0) status.devices = kept;
  else delete status.devices;
}

/** The identities of all devices allocated to a claim. */
export function allocatedDevices({ status }: Pick<ResourceClaim, 'status'>): Set<string> {
  return new Set((status?.allocation?.devices?.results ?? []).map(deviceIdentity));
}

/** Shares of one device are distinguished. */
export function deviceIdentity(device: Device): string {
  return `${deviceName(device)}/${device.shareID ?? ''}`;
}

export function deviceName({ driver, pool, device }: Device): string {
  return [driver, pool, device].join('/');
}
