// Devices that a node can use, by pool: those that the newest generation of its slices offers to the node.

import type { Node } from '../../../resources/builtin/core/node/objects.ts';
import type { Device, ResourceSlice } from '../../../resources/builtin/resource/v1-objects.ts';
import { matchesSelector } from '../../node-selection.ts';

export interface PooledDevice {
  readonly driver: string;
  readonly pool: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
}

export interface DevicePool {
  /** `driver/pool`. */
  readonly id: string;
  readonly devices: readonly PooledDevice[];
  /** Whether some of its slices are missing. */
  readonly isIncomplete: boolean;
  /** Why its devices cannot be told apart. */
  readonly fault: string | undefined;
}

/** What identifies a device everywhere. */
export function deviceKey(driver: string, pool: string, device: string): string {
  return `${driver}/${pool}/${device}`;
}

export function poolsFor(node: Node, slices: readonly ResourceSlice[]): DevicePool[] {
  const newest = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    if (!isFor(slice, node)) continue;
    const id = `${slice.spec?.driver}/${slice.spec?.pool?.name}`;
    const found = newest.get(id);
    const age = found === undefined ? 0 : generationOf(slice) - generationOf(found[0]!);
    if (found === undefined || age > 0) newest.set(id, [slice]);
    else if (age === 0) found.push(slice);
  }
  return [...newest].map(([id, found]) => poolOf(id, found));
}

/** Slices whose devices choose their nodes one by one belong to partitionable devices, an alpha feature. */
function isFor({ spec }: ResourceSlice, node: Node): boolean {
  if (spec === undefined || spec.perDeviceNodeSelection !== undefined) return false;
  if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName === node.metadata.name;
  if (spec.allNodes === true) return true;
  return spec.nodeSelector !== undefined && matchesSelector(spec.nodeSelector, node);
}

function generationOf({ spec }: ResourceSlice): number {
  return Number(spec?.pool?.generation ?? 0);
}

function poolOf(id: string, slices: readonly ResourceSlice[]): DevicePool {
  const devices = slices.flatMap((slice) =>
    (slice.spec?.devices ?? []).map((device): PooledDevice => {
      return { driver: slice.spec?.driver ?? '', pool: slice.spec?.pool?.name ?? '', device, slice };
    }),
  );
  const names = new Set<string>();
  let fault: string | undefined;
  for (const { device } of devices) {
    if (names.has(device.name ?? '')) fault = `duplicate device name ${device.name}`;
    names.add(device.name ?? '');
  }
  return { id, devices, isIncomplete: slices.length !== Number(slices[0]?.spec?.pool?.resourceSliceCount ?? 0), fault };
}
