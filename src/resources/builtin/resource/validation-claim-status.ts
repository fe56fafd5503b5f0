// Validation of ResourceClaim status: allocated devices, their users, and the status reported by drivers.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { IMMUTABLE } from '../../../api/metadata-validation.ts';
import { labelFaults } from '../../../api/names.ts';
import type { JsonObject } from '../../../api/object.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { validateConditions } from '../../validation/conditions.ts';
import {
  faultErrors,
  validateChoice,
  validateItems,
  validateMostBytes,
  validateMostItems,
} from '../../validation/field-rules.ts';
import { validateInterfaceAddress } from '../../validation/ip-addresses.ts';
import { validateNodeSelector } from '../../validation/selectors.ts';
import { validateImmutableWhole, wholeObject } from '../../validation/whole-objects.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import { validateBinding } from './binding-conditions.ts';
import { allocatedDevices, type Device, deviceIdentity, deviceName } from './claim-devices.ts';
import {
  requestNames,
  sameParameters,
  validateConfiguration,
  validateRaw,
  validateReference,
  validateReferences,
  validateUniqueItems,
} from './claim-parts.ts';
import { validatePoolName } from './names.ts';
import { AllocationResult as AllocationType } from './v1beta2.ts';
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from './v1beta2-objects.ts';
import { validateToleration } from './validation-toleration.ts';

const MAX_CONSUMERS = 256;
const MAX_RESULTS = 32;
const MAX_CONFIGURATIONS = 64;
const MAX_CONDITIONS = 8;
const MAX_ADDRESSES = 16;
const INTERFACE_NAME_BYTES = 256;
const HARDWARE_ADDRESS_BYTES = 128;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOT_NORMALIZED =
  'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
const GOING = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';

type Release = Parameters<typeof isSince>[0];

/** The first minor release in whose errors a device can be read. */
const DEVICES_ARE_TOLD = 35;

/** How errors quote a device: earlier releases a struct whose fields are hidden. */
function deviceInErrors({ driver, pool, device, shareID }: Device, release: Release): JsonObject {
  return isSince(release, DEVICES_ARE_TOLD)
    ? { Driver: driver, Pool: pool, Device: device, ShareID: shareID ?? '' }
    : { Driver: {}, Pool: {}, Device: {}, ShareID: {} };
}

export function validateClaimStatus(next: ResourceClaim, previous: ResourceClaim, release: Release): FieldError[] {
  const allocation = next.status?.allocation;
  const before = previous.status?.allocation;
  const given = allocatedDevices(next);
  const found = [
    ...validateConsumers(next.status?.reservedFor ?? []),
    ...validateUniqueItems(next.status?.devices ?? [], {
      field: 'status.devices',
      most: Number.POSITIVE_INFINITY,
      key: deviceName,
      told: (device) => deviceInErrors(device, release),
      identity: deviceIdentity,
      member: 'deviceID',
      validate: (device, field) => validateDevice(device, field, { given, release }),
    }),
    ...validateReservation(next, previous),
  ];
  if (allocation === undefined) return found;
  if (before !== undefined) return [...found, ...validateSameAllocation(allocation, before)];
  return [...found, ...validateAllocation(allocation, next, release)];
}

const ALLOCATION = { type: AllocationType };

function validateSameAllocation(next: AllocationResult, previous: AllocationResult): FieldError[] {
  const field = 'status.allocation';
  return sameParameters(next.devices?.config, previous.devices?.config)
    ? validateImmutableWhole(ALLOCATION, [next, previous], field)
    : [fieldError.invalid(field, wholeObject(ALLOCATION, next), IMMUTABLE)];
}

function validateConsumers(consumers: readonly ResourceClaimConsumerReference[]): FieldError[] {
  return validateUniqueItems(consumers, {
    field: 'status.reservedFor',
    most: MAX_CONSUMERS,
    key: (consumer) => consumer.uid ?? '',
    member: 'uid',
    validate: (consumer, here) =>
      (['resource', 'name', 'uid'] as const)
        .filter((member) => (consumer[member] ?? '') === '')
        .map((member) => fieldError.required(`${here}.${member}`)),
  });
}

/** A claim may only be reserved while it is allocated, and not newly while it is being deleted. */
function validateReservation(next: ResourceClaim, previous: ResourceClaim): FieldError[] {
  const field = 'status.reservedFor';
  const consumers = next.status?.reservedFor ?? [];
  if (consumers.length === 0) return [];
  if (next.status?.allocation === undefined) {
    return [fieldError.forbidden(field, 'may not be specified when `allocated` is not set')];
  }
  if (next.metadata.deletionTimestamp === undefined) return [];
  const key = ({ apiGroup = '', resource, name, uid }: ResourceClaimConsumerReference) =>
    [apiGroup, resource, name, uid].join('/');
  const known = new Set((previous.status?.reservedFor ?? []).map(key));
  return consumers.every((each) => known.has(key(each))) ? [] : [fieldError.forbidden(field, GOING)];
}

function validateAllocation(
  { devices, nodeSelector }: AllocationResult,
  claim: ResourceClaim,
  release: Release,
): FieldError[] {
  const names = requestNames(claim.spec);
  const field = 'status.allocation.devices';
  const results = devices?.results ?? [];
  const configurations = devices?.config ?? [];
  return [
    ...validateItems(results, `${field}.results`, (result, here) => validateResult(result, here, { names, release })),
    ...validateMostItems(results, MAX_RESULTS, `${field}.results`),
    ...validateItems(configurations, `${field}.config`, (each, here) => [
      ...validateSource(each, `${here}.source`),
      ...validateReferences(each, here, names),
      ...validateConfiguration(each, here),
    ]),
    ...validateMostItems(configurations, MAX_CONFIGURATIONS, `${field}.config`),
    ...(nodeSelector === undefined ? [] : validateNodeSelector(nodeSelector, 'status.allocation.nodeSelector')),
  ];
}

function validateSource({ source = '' }: DeviceAllocationConfiguration, field: string): FieldError[] {
  return source === '' ? [fieldError.required(field)] : validateChoice(source, ['FromClaim', 'FromClass'], field);
}

/** The first minor release that validates the tolerations of allocated devices. */
const TOLERATIONS = 37;

function validateResult(
  result: DeviceRequestAllocationResult,
  field: string,
  { names, release }: { readonly names: ReadonlySet<string>; readonly release: Release },
): FieldError[] {
  const tolerations = isSince(release, TOLERATIONS) ? (result.tolerations ?? []) : [];
  return [
    ...validateReference(result.request ?? '', `${field}.request`, names),
    ...validateDeviceName(result, field),
    ...validateBinding(result, field),
    ...validateItems(tolerations, `${field}.tolerations`, (each, here) => validateToleration(each, here, release)),
    ...validateShare(result, field),
  ];
}

function validateDeviceName({ driver = '', pool = '', device = '' }: Device, field: string): FieldError[] {
  return [
    ...validateDriverName(driver, `${field}.driver`),
    ...validatePoolName(pool, `${field}.pool`),
    ...faultErrors(labelFaults(device), device, `${field}.device`),
  ];
}

function validateShare({ shareID }: Device, field: string): FieldError[] {
  if (shareID === undefined || UUID.test(shareID)) return [];
  const fault = uuidFault(shareID);
  const why = fault === '' ? NOT_NORMALIZED : `error validating uid: ${fault}`;
  return [fieldError.invalid(`${field}.shareID`, shareID, why)];
}

/** Why a text is not a UUID in any form that Go's uuid package parses; '' if it is one. */
function uuidFault(text: string): string {
  const form = text.length;
  if (form === 45 && text.slice(0, 9).toLowerCase() !== 'urn:uuid:') {
    return `invalid urn prefix: ${JSON.stringify(text.slice(0, 9))}`;
  }
  if (form === 38 && !/^\{.*\}$/.test(text)) return 'invalid bracketed UUID format';
  if (![32, 36, 38, 45].includes(form)) return `invalid UUID length: ${form}`;
  const bare = form === 45 ? text.slice(9) : form === 38 ? text.slice(1, -1) : text;
  const isUuid = form === 32 ? /^[0-9a-f]{32}$/i.test(bare) : UUID.test(bare.toLowerCase());
  return isUuid ? '' : 'invalid UUID format';
}

interface Given {
  /** The identities of allocated devices. */
  readonly given: ReadonlySet<string>;
  readonly release: Release;
}

/** Device status must refer to allocated devices. */
function validateDevice(device: AllocatedDeviceStatus, field: string, { given, release }: Given): FieldError[] {
  const conditions = device.conditions ?? [];
  const data = device.data ?? null;
  return [
    ...validateDeviceName(device, field),
    ...validateShare(device, field),
    ...(given.has(deviceIdentity(device))
      ? []
      : [fieldError.invalid(field, deviceInErrors(device, release), 'must be an allocated device in the claim')]),
    ...validateMostItems(conditions, MAX_CONDITIONS, `${field}.conditions`),
    ...validateConditions(conditions, `${field}.conditions`),
    ...(data === null ? [] : validateRaw(data, `${field}.data`)),
    ...validateNetwork(device.networkData, `${field}.networkData`),
  ];
}

function validateNetwork(network: NetworkDeviceData | undefined, field: string): FieldError[] {
  return [
    ...validateMostBytes(network?.interfaceName ?? '', INTERFACE_NAME_BYTES, `${field}.interfaceName`),
    ...validateMostBytes(network?.hardwareAddress ?? '', HARDWARE_ADDRESS_BYTES, `${field}.hardwareAddress`),
    ...validateUniqueItems(network?.ips ?? [], {
      field: `${field}.ips`,
      most: MAX_ADDRESSES,
      key: (address) => address,
      member: '',
      validate: validateInterfaceAddress,
    }),
  ];
}
