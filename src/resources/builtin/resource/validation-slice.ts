// Validation of ResourceSlices.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { byteLength, labelFaults, subdomainFaults } from '../../../api/names.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import {
  faultErrors,
  validateImmutable,
  validateImmutableText,
  validateItems,
  validateMostBytes,
  validateMostItems,
} from '../../validation/field-rules.ts';
import { validateNodeSelector } from '../../validation/selectors.ts';
import { wholeObject } from '../../validation/whole-objects.ts';
import { sortedEntries } from '../../value.ts';
import { NodeSelectorTerm } from '../core/pod/scheduling.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import { validateBinding } from './binding-conditions.ts';
import { validateUniqueItems } from './claim-parts.ts';
import { validateAttributeName, validatePoolName } from './names.ts';
import { DeviceAttribute as DeviceAttributeType } from './v1.ts';
import type { Device, DeviceAttribute, ResourcePool, ResourceSlice, ResourceSliceSpec } from './v1-objects.ts';
import { validateCapacity } from './validation-capacity.ts';
import {
  counterNames,
  validateConsumption,
  validateConsumptionApart,
  validateCounterSets,
  validateCounterTotals,
} from './validation-counters.ts';
import { validateNodeResources, validatePartitions, validateSkipped } from './validation-node-resources.ts';
import { validateTaint } from './validation-taint.ts';

const MAX_DEVICES = 128;
const MAX_ATTRIBUTES = 32;
const TEXT_BYTES = 64;
const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;
const MAX_VALUES = 48;
const MAX_ADVANCED_DEVICES = 64;
const MAX_TAINTS = 16;
const MAX_TAINTS_BEFORE = 4;
/** Forms of an attribute. */
const SINGLE = ['int', 'bool', 'string', 'version'] as const;
const LISTS = ['bools', 'ints', 'strings', 'versions'] as const;
const DEVICE_PLACES =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true ' +
  'in the ResourceSlice spec';
const NOT_PER_DEVICE =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ' +
  'ResourceSlice spec';
const PLACES = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** @param previous the stored slice of an update, whose driver and pool are immutable */
function validateSlice(
  { spec }: ResourceSlice,
  previous: ResourceSlice | undefined,
  release: StrategyContext,
): FieldError[] {
  if (isSince(release, APART)) return validateSliceApart(spec, previous?.spec, release);
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
        ...validateDevice(device, { field, release }),
        ...validateConsumption(device, names, field),
        ...validateDevicePlace(device, perDevice, field),
        ...validateBinding(device, field),
      ],
    }),
    ...validateCounterSets(spec?.sharedCounters ?? [], release),
  ];
}

/** The first minor release whose counter sets stand in slices of their own. */
const APART = 35;

function validateSliceApart(
  spec: ResourceSliceSpec | undefined,
  old: ResourceSliceSpec | undefined,
  release: StrategyContext,
): FieldError[] {
  const { devices, sharedCounters } = spec ?? {};
  const perDevice = spec?.perDeviceNodeSelection === true;
  const isBoth = devices !== undefined && sharedCounters !== undefined;
  const isAdvanced = devices?.some(
    ({ taints = [], consumesCounters = [], attributes = {} }) =>
      taints.length + consumesCounters.length > 0 || Object.values(attributes).some(isOfLists),
  );
  return [
    ...validateDriverName(spec?.driver ?? '', 'spec.driver'),
    ...validatePool(spec?.pool),
    ...(old === undefined ? [] : validateOwnerKept(spec, old)),
    ...validatePlace(spec),
    ...(isBoth ? [fieldError.invalid('spec', '', 'only one of `sharedCounters` or `devices` is allowed')] : []),
    ...validateUniqueItems(devices ?? [], {
      field: 'spec.devices',
      most: isAdvanced ? MAX_ADVANCED_DEVICES : MAX_DEVICES,
      key: (device) => device.name ?? '',
      member: 'name',
      validate: (device, field) => [
        ...validateDevice(device, { field, release, old: old?.devices?.find(({ name }) => name === device.name) }),
        ...validateConsumptionApart(device, release, field),
        ...validateDevicePlace(device, perDevice, field),
        ...validateBinding(device, field),
        ...validateNodeResources(device, field),
      ],
    }),
    ...validateCounterSets(sharedCounters ?? [], release),
    ...(spec === undefined ? [] : [...validatePartitions(spec, 'spec'), ...validateSkipped(spec, 'spec')]),
  ];
}

function isOfLists(attribute: DeviceAttribute): boolean {
  return LISTS.some((member) => attribute[member] !== undefined);
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
      const quoted = terms?.map((term) => wholeObject({ type: NodeSelectorTerm }, term)) ?? null;
      found.push(fieldError.invalid('spec.nodeSelector.nodeSelectorTerms', quoted, why));
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

interface DevicePlace {
  readonly field: string;
  readonly release: StrategyContext;
  /** The stored device, whose taints and capacity need not be valid by newer rules. */
  readonly old?: Device | undefined;
}

function validateDevice(device: Device, { field, release, old }: DevicePlace): FieldError[] {
  const name = device.name ?? '';
  const [attributes, capacities] = [sortedEntries(device.attributes), sortedEntries(device.capacity)];
  const count = attributes.length + capacities.length;
  const found = faultErrors(labelFaults(name), name, `${field}.name`);
  if (count > MAX_ATTRIBUTES) {
    const why = `the total number of attributes and capacities must not exceed ${MAX_ATTRIBUTES}`;
    found.push(fieldError.invalid(field, count, why));
  }
  const values = attributes.reduce((sum, [, each]) => sum + valuesIn(each), 0);
  if (values > MAX_VALUES && isSince(release, 36)) {
    const why = `the total number of attribute values must not exceed ${MAX_VALUES}`;
    found.push(fieldError.invalid(field, values, why));
  }
  for (const [key, attribute] of attributes) {
    const here = `${field}.attributes[${key}]`;
    found.push(
      ...validateAttributeName(key, keyField(here, `${field}.attributes`, release), release),
      ...validateAttribute(attribute, isSince(release, APART), here),
    );
  }
  const keepsCapacity = old !== undefined && isSince(release, 37) && equalJson(old.capacity, device.capacity);
  for (const [key, capacity] of keepsCapacity ? [] : capacities) {
    const here = `${field}.capacity[${key}]`;
    found.push(...validateAttributeName(key, keyField(here, `${field}.capacity`, release), release));
    found.push(...validateCapacity(capacity, { isShared: device.allowMultipleAllocations === true, release }, here));
  }
  const taints = device.taints ?? [];
  if (old !== undefined && isSince(release, APART) && equalJson(old.taints ?? [], taints)) return found;
  const most = isSince(release, APART) ? MAX_TAINTS : MAX_TAINTS_BEFORE;
  return [
    ...found,
    ...validateItems(taints, `${field}.taints`, (taint, here) => validateTaint(taint, here, release)),
    ...validateMostItems(taints, most, `${field}.taints`),
  ];
}

/** The field of errors in the key of a map: the map itself from 1.36 on. */
function keyField(key: string, map: string, release: StrategyContext): string {
  return isSince(release, 36) ? map : key;
}

/** Items of lists count one by one. */
function valuesIn(attribute: DeviceAttribute): number {
  return LISTS.reduce((sum, member) => sum + (attribute[member] ?? []).length, 0) || 1;
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

function validateAttribute(attribute: DeviceAttribute, isApart: boolean, field: string): FieldError[] {
  const [text, version] = [attribute.string, attribute.version];
  const said = [...SINGLE, ...LISTS].filter((member) => (attribute[member] ?? null) !== null);
  const found: FieldError[] = [];
  if (text !== undefined) found.push(...validateMostBytes(text, TEXT_BYTES, `${field}.string`));
  if (version !== undefined) found.push(...validateVersion(version, `${field}.version`));
  for (const member of LISTS) {
    if (attribute[member]?.length !== 0) continue;
    found.push(fieldError.invalid(`${field}.${member}`, [], 'must not be empty if specified'));
  }
  found.push(
    ...validateItems(attribute.strings ?? [], `${field}.strings`, (each, here) =>
      validateMostBytes(each, TEXT_BYTES, here),
    ),
    ...validateItems(attribute.versions ?? [], `${field}.versions`, validateVersion),
  );
  const one = 'exactly one value must be specified';
  if (said.length === 0) found.push(isApart ? fieldError.invalid(field, '', one) : fieldError.required(field, one));
  if (said.length > 1)
    found.push(fieldError.invalid(field, wholeObject({ type: DeviceAttributeType }, attribute), one));
  return found;
}

function validateVersion(version: string, field: string): FieldError[] {
  const why = 'must be a string compatible with semver.org spec 2.0.0';
  return [
    ...(VERSION.test(version) ? [] : [fieldError.invalid(field, version, why)]),
    ...(byteLength(version) > TEXT_BYTES ? [fieldError.tooLong(field, TEXT_BYTES)] : []),
  ];
}

function validateOwnerKept(spec: ResourceSliceSpec | undefined, old: ResourceSliceSpec | undefined): FieldError[] {
  return [
    ...validateImmutableText(spec?.pool?.name, old?.pool?.name, 'spec.pool.name'),
    ...validateImmutableText(spec?.driver, old?.driver, 'spec.driver'),
    ...validateImmutable(spec?.nodeName, old?.nodeName, 'spec.nodeName'),
  ];
}

export const resourceSliceRules: KindRules<ResourceSlice> = {
  validateCreate: (slice, context) => validateSlice(slice, undefined, context),
  validateUpdate: validateSlice,
};
