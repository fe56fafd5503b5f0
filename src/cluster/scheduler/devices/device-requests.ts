// Requests of claims for devices, in one form: alternatives, each with the devices that it may get on a node.

import { messageOf } from '../../../base/error-message.ts';
import type { DeviceMatcher } from '../../../resources/builtin/resource/device-selection.ts';
import type {
  DeviceClass,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
} from '../../../resources/builtin/resource/v1-objects.ts';
import type { Lister } from '../sources.ts';
import type { DevicePool, PooledDevice } from './device-pools.ts';

/** One way to meet a request. */
export interface Alternative {
  /** `request` or `request/subrequest`. */
  readonly name: string;
  readonly deviceClass: DeviceClass;
  readonly isAdmin: boolean;
  readonly count: number;
  /** Whether it takes all devices that it may get. */
  readonly takesAll: boolean;
  readonly devices: readonly PooledDevice[];
}

export interface WantedDevices {
  readonly claim: ResourceClaim;
  readonly request: string;
  readonly alternatives: readonly Alternative[];
}

export interface DeviceWorld {
  readonly classes: Lister<DeviceClass>;
  /** The predicate of a selector's expression. @throws Error if it is invalid */
  readonly matcher: (expression: string) => DeviceMatcher;
}

/** The requests of a claim. @throws Error if they cannot be judged at present */
export function wantedDevices(
  claim: ResourceClaim,
  pools: readonly DevicePool[],
  world: DeviceWorld,
): readonly WantedDevices[] {
  const { namespace, name } = claim.metadata;
  return (claim.spec?.devices?.requests ?? []).map((request): WantedDevices => {
    const where = `claim ${namespace}/${name}, request ${request.name}`;
    const alternatives = namedRequests(request).map(([path, wanted]) =>
      alternativeOf({ path, wanted, where }, { pools, world, claim: `claim ${namespace}/${name}` }),
    );
    return { claim, request: request.name ?? '', alternatives };
  });
}

/** A request, or its subrequests in the order of preference, with their names. */
export function namedRequests(request: DeviceRequest): [name: string, ExactDeviceRequest | DeviceSubRequest][] {
  const { name = '', exactly, firstAvailable = [] } = request;
  if (exactly !== undefined) return [[name, exactly]];
  return firstAvailable.map((each) => [`${name}/${each.name}`, each]);
}

function alternativeOf(
  {
    path,
    wanted,
    where,
  }: {
    readonly path: string;
    readonly wanted: ExactDeviceRequest | DeviceSubRequest;
    readonly where: string;
  },
  {
    pools,
    world,
    claim,
  }: { readonly pools: readonly DevicePool[]; readonly world: DeviceWorld; readonly claim: string },
): Alternative {
  const { deviceClassName = '', selectors = [], allocationMode } = wanted;
  const deviceClass = world.classes.get('', deviceClassName);
  if (deviceClass === undefined) throw new Error(`${where}: could not retrieve device class ${deviceClassName}`);
  const takesAll = allocationMode === 'All';
  const broken = pools.find(({ fault, isIncomplete }) => fault !== undefined || (takesAll && isIncomplete));
  if (broken !== undefined) {
    const state = broken.isIncomplete && takesAll ? 'being updated' : 'invalid';
    const why = takesAll ? `asks for all devices, but resource pool ${broken.id} is currently ${state}` : undefined;
    throw new Error(why === undefined ? `pool ${broken.id} is invalid: ${broken.fault}` : `${where}: ${why}`);
  }
  const selected = [
    ...selections(deviceClass.spec?.selectors ?? [], world, `class ${deviceClassName}`),
    ...selections(selectors, world, claim),
  ];
  const devices = pools.flatMap((pool) => pool.devices.filter((each) => selected.every((matches) => matches(each))));
  return {
    ...{ name: path, deviceClass, takesAll, devices },
    isAdmin: 'adminAccess' in wanted && wanted.adminAccess === true,
    count: takesAll ? devices.length : Number(wanted.count ?? 1),
  };
}

/** Devices that wait for conditions, or share counters with others, belong to alpha features. */
function isPlain({ device }: PooledDevice): boolean {
  return (device.bindingConditions ?? []).length === 0 && (device.consumesCounters ?? []).length === 0;
}

function selections(
  selectors: readonly DeviceSelector[],
  { matcher }: DeviceWorld,
  owner: string,
): ((of: PooledDevice) => boolean)[] {
  const matches = selectors.map(({ cel }, index) => (of: PooledDevice): boolean => {
    try {
      return matcher(cel?.expression ?? '')(of);
    } catch (error) {
      const message = messageOf(error);
      throw new Error(`${owner}: selector #${index}: ${message}`, { cause: error });
    }
  });
  return [isPlain, ...matches];
}
