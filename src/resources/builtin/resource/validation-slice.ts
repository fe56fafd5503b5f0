// Validation of ResourceSlices.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { byteLength, labelFaults, subdomainFaults } from '../../../api/names.ts';
import type { KindRules } from '../../definition.ts';
import {
  faultErrors,
  validateImmutable,
  validateImmutableText,
  validateItems,
  validateMostBytes,
  validateMostItems,
} from '../../validation/field-rules.ts';
import { validateNodeSelector } from '../../validation/selectors.ts';
import { sortedEntries } from '../../value.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import { validateBinding } from './binding-conditions.ts';
import { validateUniqueItems } from './claim-parts.ts';
import { validateAttributeName, validatePoolName } from './names.ts';
import type { Device, DeviceAttribute, ResourcePool, ResourceSlice, ResourceSliceSpec } from './v1beta2-objects.ts';
import { validateCapacity } from './validation-capacity.ts';
import {
  counterNames,
  validateConsumption,
  validateCounterSets,
  validateCounterTotals,
} from './validation-counters.ts';
import { validateTaint } from './validation-taint.ts';

const MAX_DEVICES = 128;
const MAX_ATTRIBUTES = 32;
const TEXT_BYTES = 64;
const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;
const MAX_TAINTS = 4;
const DEVICE_PLACES =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true ' +
  'in the ResourceSlice spec';
const NOT_PER_DEVICE =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ' +
  'ResourceSlice spec';
const PLACES = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** @param previous the stored slice of an update, whose driver and pool are immutable */
function validateSlice({ spec }: ResourceSlice, previous: ResourceSlice | undefined): FieldError[] {
  const names = counterNames(spec);
  const perDevice = spec?.perDeviceNodeSelection === true;
  return [
    ...validateDriverName(spec?.driver ?? '', 'spec.driver'),
    ...validatePool(spec?.pool),
    ...(previous === undefined ? [] : validateOwnerKept(spec, previous.spec)),
    ...validatePlace(spec),
    ...validateCounterTotals(spec),
    ...validateUniqueItems(spec?.devices ?? [], {
      field: 'spec.devices',
      most: MAX_DEVICES,
      key: (device) => device.name ?? '',
      member: 'name',
      validate: (device, field) => [
        ...validateDevice(device, field),
        ...validateConsumption(device, names, field),
        ...validateDevicePlace(device, perDevice, field),
        ...validateBinding(device, field),
      ],
    }),
    ...validateCounterSets(spec?.sharedCounters ?? []),
  ];
}

function validatePool(pool: ResourcePool | undefined): FieldError[] {
  const [count, generation] = [pool?.resourceSliceCount ?? 0, pool?.generation ?? 0];
  const found = validatePoolName(pool?.name ?? '', 'spec.pool.name');
  if (count <= 0) found.push(fieldError.invalid('spec.pool.resourceSliceCount', count, 'must be greater than zero'));
  if (generation >= 0) return found;
  const why = 'must be greater than or equal to zero';
  return [...found, fieldError.invalid('spec.pool.generation', generation, why)];
}

/** Exactly one form of node selection. */
function validatePlace(spec: ResourceSliceSpec | undefined): FieldError[] {
  const [node, selector] = [spec?.nodeName, spec?.nodeSelector];
  const ways: string[] = [];
  const found: FieldError[] = [];
  if (node !== undefined) {
    if (node === '') {
      found.push(fieldError.invalid('spec.nodeName', node, 'must be either unset or set to a non-empty string'));
    } else {
      ways.push('`nodeName`');
      found.push(...faultErrors(subdomainFaults(node), node, 'spec.nodeName'));
    }
  }
  if (selector !== undefined) {
    const terms = selector.nodeSelectorTerms ?? null;
    ways.push('`nodeSelector`');
    found.push(...validateNodeSelector(selector, 'spec.nodeSelector'));
    if ((selector.nodeSelectorTerms ?? []).length !== 1) {
      const why = 'must have exactly one node selector term';
      found.push(fieldError.invalid('spec.nodeSelector.nodeSelectorTerms', terms, why));
    }
  }
  for (const flag of ['allNodes', 'perDeviceNodeSelection'] as const) {
    const value = spec?.[flag];
    if (value === true) ways.push(`\`${flag}\``);
    else if (value === false) {
      found.push(fieldError.invalid(`spec.${flag}`, value, 'must be either unset or set to true'));
    }
  }
  if (ways.length === 0) found.push(fieldError.required('spec', PLACES));
  if (ways.length > 1) {
    found.push(fieldError.invalid('spec', `{${ways.join(', ')}}`, `${PLACES}, but multiple fields are set`));
  }
  return found;
}

function validateDevice(device: Device, field: string): FieldError[] {
  const name = device.name ?? '';
  const [attributes, capacities] = [sortedEntries(device.attributes), sortedEntries(device.capacity)];
  const count = attributes.length + capacities.length;
  const found = faultErrors(labelFaults(name), name, `${field}.name`);
  if (count > MAX_ATTRIBUTES) {
    const why = `the total number of attributes and capacities must not exceed ${MAX_ATTRIBUTES}`;
    found.push(fieldError.invalid(field, count, why));
  }
  for (const [key, attribute] of attributes) {
    const here = `${field}.attributes[${key}]`;
    found.push(...validateAttributeName(key, here), ...validateAttribute(attribute, here));
  }
  for (const [key, capacity] of capacities) {
    const here = `${field}.capacity[${key}]`;
    found.push(...validateAttributeName(key, here));
    found.push(...validateCapacity(capacity, device.allowMultipleAllocations === true, here));
  }
  const taints = device.taints ?? [];
  return [
    ...found,
    ...validateItems(taints, `${field}.taints`, validateTaint),
    ...validateMostItems(taints, MAX_TAINTS, `${field}.taints`),
  ];
}

/** Node selection per device: exactly one form. */
function validateDevicePlace(device: Device, perDevice: boolean, field: string): FieldError[] {
  const { nodeName, nodeSelector, allNodes } = device;
  if (!perDevice) {
    const isSaid = nodeName !== undefined || nodeSelector !== undefined || allNodes !== undefined;
    return isSaid ? [fieldError.invalid(field, null, NOT_PER_DEVICE)] : [];
  }
  const ways: string[] = [];
  const found: FieldError[] = [];
  if (nodeName === '') found.push(fieldError.invalid(`${field}.nodeName`, nodeName, 'must not be empty'));
  else if (nodeName !== undefined) {
    ways.push('`nodeName`');
    found.push(...faultErrors(subdomainFaults(nodeName), nodeName, `${field}.nodeName`));
  }
  if (nodeSelector !== undefined) {
    ways.push('`nodeSelector`');
    found.push(...validateNodeSelector(nodeSelector, `${field}.nodeSelector`));
  }
  if (allNodes === true) ways.push('`allNodes`');
  else if (allNodes === false) {
    found.push(fieldError.invalid(`${field}.allNodes`, allNodes, 'must be either unset or set to true'));
  }
  if (ways.length === 0) found.push(fieldError.required(field, DEVICE_PLACES));
  if (ways.length > 1) found.push(fieldError.invalid(field, `{${ways.join(', ')}}`, DEVICE_PLACES));
  return found;
}

function validateAttribute(attribute: DeviceAttribute, field: string): FieldError[] {
  const [text, version] = [attribute.string, attribute.version];
  const said = (['int', 'bool', 'string', 'version'] as const).filter((member) => (attribute[member] ?? null) !== null);
  const found: FieldError[] = [];
  if (text !== undefined) found.push(...validateMostBytes(text, TEXT_BYTES, `${field}.string`));
  if (version !== undefined) {
    if (!VERSION.test(version)) {
      const why = 'must be a string compatible with semver.org spec 2.0.0';
      found.push(fieldError.invalid(`${field}.version`, version, why));
    }
    if (byteLength(version) > TEXT_BYTES) found.push(fieldError.tooLong(`${field}.version`, TEXT_BYTES));
  }
  if (said.length === 0) found.push(fieldError.required(field, 'exactly one value must be specified'));
  if (said.length > 1) found.push(fieldError.invalid(field, attribute, 'exactly one value must be specified'));
  return found;
}

function validateOwnerKept(spec: ResourceSliceSpec | undefined, old: ResourceSliceSpec | undefined): FieldError[] {
  return [
    ...validateImmutableText(spec?.pool?.name, old?.pool?.name, 'spec.pool.name'),
    ...validateImmutableText(spec?.driver, old?.driver, 'spec.driver'),
    ...validateImmutable(spec?.nodeName, old?.nodeName, 'spec.nodeName'),
  ];
}

export const resourceSliceRules: KindRules<ResourceSlice> = {
  validateCreate: (slice) => validateSlice(slice, undefined),
  validateUpdate: validateSlice,
};
