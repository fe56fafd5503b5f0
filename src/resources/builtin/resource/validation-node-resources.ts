// Validation of what a device takes of the resources of its node, and of partitions of a device: fields of 1.36 and 1.37.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { ownMember } from '../../../api/own-member.ts';
import { canonicalQuantity } from '../../../api/quantity.ts';
import { compareAmounts } from '../../validation/quantities.ts';
import { sortedEntries } from '../../value.ts';
import { validateDomainAttribute } from './names.ts';
import type { Device, NodeAllocatableMapping, NodeAllocatableOverhead, ResourceSliceSpec } from './v1-objects.ts';

/** Which resources of a node its kubelet allocates. */
const ALLOCATABLE = /^(?:cpu|memory|hugepages-.*)$/;

export function validateNodeResources({ nodeAllocatableResources, capacity }: Device, field: string): FieldError[] {
  return sortedEntries(nodeAllocatableResources).flatMap(([name, { mapping, overhead }]) => {
    const here = `${field}.nodeAllocatableResources[${name}]`;
    const found: FieldError[] = [];
    if (!ALLOCATABLE.test(name)) found.push(fieldError.invalid(here, name, 'must be a node allocatable resource name'));
    if (mapping === undefined && overhead === undefined) {
      found.push(fieldError.required(here, 'at least one of mapping or overhead must be set'));
    }
    if (mapping !== undefined) found.push(...validateMapping(mapping, capacity, `${here}.mapping`));
    if (overhead !== undefined) found.push(...validateOverhead(overhead, `${here}.overhead`));
    return found;
  });
}

function validateMapping(
  { capacityKey: key, capacityMultiplier, deviceMultiplier }: NodeAllocatableMapping,
  capacity: Device['capacity'],
  field: string,
): FieldError[] {
  const found: FieldError[] = [];
  const here = `${field}.capacityKey`;
  if (key === '') found.push(fieldError.invalid(here, '', 'capacityKey must not be an empty string'));
  else if (key !== undefined && ownMember(capacity ?? {}, key) === undefined) {
    found.push(fieldError.notFound(here, key));
  }
  if (key !== undefined && capacityMultiplier === undefined) {
    const why = 'capacityMultiplier is required when capacityKey is set';
    found.push(fieldError.required(`${field}.capacityMultiplier`, why));
  }
  if (key !== undefined) found.push(...validatePositive(capacityMultiplier, `${field}.capacityMultiplier`));
  found.push(...validatePositive(deviceMultiplier, `${field}.deviceMultiplier`));
  if (key === undefined && capacityMultiplier !== undefined) {
    found.push(fieldError.required(here, 'capacityKey is required when capacityMultiplier is set'));
  }
  return found;
}

function validatePositive(amount: string | undefined, field: string): FieldError[] {
  if (amount === undefined || compareAmounts(amount, '0') > 0) return [];
  return [fieldError.invalid(field, canonicalQuantity(amount) ?? amount, 'must be positive')];
}

function validateOverhead({ perPod, perContainer }: NodeAllocatableOverhead, field: string): FieldError[] {
  if (perPod === undefined && perContainer === undefined) {
    return [fieldError.invalid(field, '', 'at least one of perPod or perContainer must be set')];
  }
  return Object.entries({ perPod, perContainer }).flatMap(([member, amount]) => {
    if (amount === undefined || compareAmounts(amount, '0') >= 0) return [];
    return [fieldError.invalid(`${field}.${member}`, canonicalQuantity(amount) ?? amount, 'must be non-negative')];
  });
}

/** The attribute that tells the type of a partition is a text of every device that consumes counters. */
export function validatePartitions(spec: ResourceSliceSpec, field: string): FieldError[] {
  const name = spec.partitionTypeAttribute;
  if (name === undefined) return [];
  const consuming = [...(spec.devices ?? []).entries()].filter(([, each]) => (each.consumesCounters ?? []).length > 0);
  if (consuming.length === 0) {
    const why = 'may only be set on a slice which declares devices that consume counters';
    // The declared rule about its form is another one.
    return [{ ...fieldError.invalid(`${field}.partitionTypeAttribute`, name, why), covered: false }];
  }
  if (validateDomainAttribute(name, field).length > 0) return [];
  // A name in the domain of the driver may stand without it.
  const prefix = `${spec.driver ?? ''}/`;
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return consuming.flatMap(([index, { attributes = {} }]) => {
    const here = `${field}.devices[${index}].attributes[${name}]`;
    const attribute = ownMember(attributes, name) ?? ownMember(attributes, bare);
    const named = '`partitionTypeAttribute` names this attribute';
    if (attribute === undefined) {
      return [fieldError.required(here, `device consumes counters and ${named}, so it must be set`)];
    }
    if (attribute.string !== undefined) return [];
    return [fieldError.invalid(here, attribute, `must be a string value because ${named}`)];
  });
}

/** Whoever does not prepare does not undo either. */
export function validateSkipped({ skipNodeOperations: all = [] }: ResourceSliceSpec, field: string): FieldError[] {
  const undoes = !all.includes('NodeUnprepareResources') && !all.includes('*');
  if (!all.includes('NodePrepareResources') || !undoes) return [];
  const why = 'NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped';
  return [fieldError.invalid(`${field}.skipNodeOperations`, all, why)];
}
