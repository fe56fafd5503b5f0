// The rules of resource slices: what a driver publishes of the devices of a pool.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { byteLength, labelFaults, subdomainFaults } from '../../../api/names.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import {
  faultErrors,
  validateImmutable,
  validateImmutableText,
  validateMostBytes,
} from '../../validation/field-rules.ts';
import { type NodeSelectorFields, validateNodeSelector } from '../../validation/selectors.ts';
import { at, entriesAt, isObject, listAt, numberAt, textAt } from '../../value.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import { validateAttributeName, validatePoolName } from './names.ts';
import { validateUniqueItems } from './validation-claim.ts';

const MOST_DEVICES = 128;
const MOST_ATTRIBUTES = 32;
const TEXT_BYTES = 64;
const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;
const PLACES = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** @param previous the slice as it was, where it is changed: whose devices they are stays */
function validateSlice({ spec }: ApiObject, previous: ApiObject | undefined): FieldError[] {
  return [
    ...validateDriverName(textAt(spec, 'driver'), 'spec.driver'),
    ...validatePool(at(spec, 'pool')),
    ...(previous === undefined ? [] : validateOwnerKept(spec, previous['spec'])),
    ...validatePlace(spec),
    ...validateUniqueItems(listAt(spec, 'devices'), {
      field: 'spec.devices',
      most: MOST_DEVICES,
      key: (device) => textAt(device, 'name'),
      member: 'name',
      validate: validateDevice,
    }),
  ];
}

function validatePool(pool: Json | undefined): FieldError[] {
  const [count, generation] = [numberAt(pool, 'resourceSliceCount'), numberAt(pool, 'generation')];
  const found = validatePoolName(textAt(pool, 'name'), 'spec.pool.name');
  if (count <= 0) found.push(fieldError.invalid('spec.pool.resourceSliceCount', count, 'must be greater than zero'));
  if (generation >= 0) return found;
  const why = 'must be greater than or equal to zero';
  return [...found, fieldError.invalid('spec.pool.generation', generation, why)];
}

/** Where the devices are is said in exactly one way. */
function validatePlace(spec: Json | undefined): FieldError[] {
  const [node, selector] = [at(spec, 'nodeName'), at(spec, 'nodeSelector')];
  const ways: string[] = [];
  const found: FieldError[] = [];
  if (typeof node === 'string') {
    if (node === '') {
      found.push(fieldError.invalid('spec.nodeName', node, 'must be either unset or set to a non-empty string'));
    } else {
      ways.push('`nodeName`');
      found.push(...faultErrors(subdomainFaults(node), node, 'spec.nodeName'));
    }
  }
  if (isObject(selector)) {
    const terms = at(selector, 'nodeSelectorTerms') ?? null;
    ways.push('`nodeSelector`');
    found.push(...validateNodeSelector(selector as NodeSelectorFields, 'spec.nodeSelector'));
    if (listAt(selector, 'nodeSelectorTerms').length !== 1) {
      const why = 'must have exactly one node selector term';
      found.push(fieldError.invalid('spec.nodeSelector.nodeSelectorTerms', terms, why));
    }
  }
  for (const flag of ['allNodes', 'perDeviceNodeSelection']) {
    const value = at(spec, flag);
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

function validateDevice(device: Json, field: string): FieldError[] {
  const name = textAt(device, 'name');
  const [attributes, capacities] = [entriesAt(device, 'attributes'), entriesAt(device, 'capacity')];
  const count = attributes.length + capacities.length;
  const found = faultErrors(labelFaults(name), name, `${field}.name`);
  if (count > MOST_ATTRIBUTES) {
    const why = `the total number of attributes and capacities must not exceed ${MOST_ATTRIBUTES}`;
    found.push(fieldError.invalid(field, count, why));
  }
  for (const [key, attribute] of attributes) {
    const here = `${field}.attributes[${key}]`;
    found.push(...validateAttributeName(key, here), ...validateAttribute(attribute, here));
  }
  for (const [key] of capacities) found.push(...validateAttributeName(key, `${field}.capacity[${key}]`));
  return found;
}

function validateAttribute(attribute: Json, field: string): FieldError[] {
  const [text, version] = [at(attribute, 'string'), at(attribute, 'version')];
  const said = ['int', 'bool', 'string', 'version'].filter((member) => (at(attribute, member) ?? null) !== null);
  const found: FieldError[] = [];
  if (typeof text === 'string') found.push(...validateMostBytes(text, TEXT_BYTES, `${field}.string`));
  if (typeof version === 'string') {
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

function validateOwnerKept(spec: Json | undefined, old: Json | undefined): FieldError[] {
  return [
    ...validateImmutableText(at(spec, 'pool', 'name'), at(old, 'pool', 'name'), 'spec.pool.name'),
    ...validateImmutableText(at(spec, 'driver'), at(old, 'driver'), 'spec.driver'),
    ...validateImmutable(at(spec, 'nodeName'), at(old, 'nodeName'), 'spec.nodeName'),
  ];
}

export const resourceSliceRules: Partial<Behaviour> = {
  validateCreate: (slice) => validateSlice(slice, undefined),
  validateUpdate: validateSlice,
};
