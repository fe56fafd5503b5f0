// The rules of storage classes, volume attributes classes, CSI drivers and what they publish.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { stringifyJson } from '../../../api/json-writer.ts';
import { byteLength, qualifiedNameFaults, subdomainFaults } from '../../../api/names.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import { limits } from '../../../base/limits.ts';
import type { Behaviour } from '../../definition.ts';
import {
  faultErrors,
  IMMUTABLE,
  validateChoice,
  validateImmutable,
  validateImmutableText,
  validateItems,
  validateRequired,
} from '../../validation/field-rules.ts';
import { type LabelSelectorFields, validateLabelSelector } from '../../validation/label-selector.ts';
import { validateNonNegativeQuantity } from '../../validation/quantities.ts';
import { at, entriesAt, listAt, numberAt, textAt } from '../../value.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';

const MOST_PARAMETERS = 512;
const PARAMETERS_BYTES = 256 * 1024;
const NODE_ID_BYTES = 256;
const LEAST_TOKEN_SECONDS = 10 * 60;
const MOST_TOKEN_SECONDS = 2 ** 32;

/** A provisioner or driver is told by a qualified name in any case. */
function validateProvisioner(name: string, field: string): FieldError[] {
  if (name === '') return [fieldError.required(field)];
  const lower = name.toLowerCase();
  return faultErrors(qualifiedNameFaults(lower), lower, field);
}

function validateParameters(parameters: readonly [string, Json][], field: string): FieldError[] {
  if (parameters.length > MOST_PARAMETERS) return [fieldError.tooLong(field, MOST_PARAMETERS)];
  const found: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of parameters) {
    if (key === '') found.push(fieldError.invalid(field, key, 'field can not be empty.'));
    bytes += byteLength(key) + byteLength(String(value));
  }
  return bytes > PARAMETERS_BYTES ? [...found, fieldError.tooLong(field, PARAMETERS_BYTES)] : found;
}

/** Members that an update must leave alone, in the words of this group. */
function validateNoUpdates(next: ApiObject, previous: ApiObject, members: readonly string[]): FieldError[] {
  return members
    .filter((member) => !equalJson(next[member] ?? null, previous[member] ?? null))
    .map((member) => fieldError.forbidden(member, `updates to ${member} are forbidden.`));
}

function validateStorageClass(storageClass: ApiObject): FieldError[] {
  const reclaim = textAt(storageClass, 'reclaimPolicy');
  const mode = at(storageClass, 'volumeBindingMode');
  return [
    ...validateProvisioner(textAt(storageClass, 'provisioner'), 'provisioner'),
    ...validateParameters(entriesAt(storageClass, 'parameters'), 'parameters'),
    ...(reclaim === '' ? [] : validateChoice(reclaim, ['Delete', 'Retain'], 'reclaimPolicy')),
    ...(typeof mode === 'string'
      ? validateChoice(mode, ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode')
      : [fieldError.required('volumeBindingMode')]),
    ...validateTopologies(listAt(storageClass, 'allowedTopologies')),
  ];
}

/** Terms must differ; one without expressions is a repetition already when it stands alone, as in Kubernetes. */
function validateTopologies(terms: readonly Json[]): FieldError[] {
  // How many of the terms, those still to come counted as empty, say the same.
  const known = new Map([['{}', terms.length]]);
  let repetitions = 0;
  return validateItems(terms, 'allowedTopologies', (term, field) => {
    const here = `${field}.matchLabelExpressions`;
    const expressions: Record<string, Json> = {};
    const found = validateItems(listAt(term, 'matchLabelExpressions'), here, (expression, path) => {
      const key = textAt(expression, 'key');
      const values = listAt(expression, 'values');
      const errors = values.length === 0 ? [fieldError.required(`${path}.values`)] : [];
      const seen = new Set<Json>();
      for (const [place, value] of values.entries()) {
        if (seen.has(value)) errors.push(fieldError.duplicate(`${path}.values[${place}]`, value));
        seen.add(value);
      }
      errors.push(...faultErrors(qualifiedNameFaults(key), key, `${path}.key`));
      if (Object.hasOwn(expressions, key)) errors.push(fieldError.duplicate(`${path}.key`, key));
      expressions[key] = [...new Set(values)].sort();
      return errors;
    });
    const said = stringifyJson(Object.fromEntries(entriesAt(expressions)));
    const equal = Math.min(known.get(said) ?? 0, limits.repetitionErrors - repetitions);
    repetitions += equal;
    for (let copy = 0; copy < equal; copy++) found.push(fieldError.duplicate(here, ''));
    known.set('{}', (known.get('{}') ?? 1) - 1);
    known.set(said, (known.get(said) ?? 0) + 1);
    return found;
  });
}

export const storageClassRules: Partial<Behaviour> = {
  updateChecks: ['metadata', 'content', 'metadataChange', 'change'],
  validate: validateStorageClass,
  validateUpdate: (next, previous) => [
    ...validateNoUpdates(next, previous, ['parameters', 'provisioner', 'reclaimPolicy']),
    ...validateImmutable(next['volumeBindingMode'], previous['volumeBindingMode'], 'volumeBindingMode'),
  ],
};

function validateAttributesClass(attributesClass: ApiObject): FieldError[] {
  const parameters = entriesAt(attributesClass, 'parameters');
  return [
    ...validateProvisioner(textAt(attributesClass, 'driverName'), 'driverName'),
    ...(parameters.length === 0
      ? [fieldError.required('parameters', 'must contain at least one key/value pair')]
      : validateParameters(parameters, 'parameters')),
  ];
}

export const attributesClassRules: Partial<Behaviour> = {
  updateChecks: ['metadata', 'content', 'metadataChange', 'change', 'metadata', 'content'],
  validate: validateAttributesClass,
  validateUpdate: (next, previous) => validateNoUpdates(next, previous, ['driverName', 'parameters']),
};

function validateDriver({ spec }: ApiObject): FieldError[] {
  const policy = at(spec, 'fsGroupPolicy');
  const policies = ['File', 'None', 'ReadWriteOnceWithFSType'];
  const required = (member: string, field: string) =>
    typeof at(spec, member) === 'boolean' ? [] : [fieldError.required(`spec.${field}`)];
  return [
    // Kubernetes calls it so in its messages.
    ...required('attachRequired', 'attachedRequired'),
    ...required('podInfoOnMount', 'podInfoOnMount'),
    ...required('storageCapacity', 'storageCapacity'),
    ...(typeof policy === 'string'
      ? validateChoice(policy, policies, 'spec.fsGroupPolicy')
      : [fieldError.required('spec.fsGroupPolicy')]),
    ...validateTokenRequests(listAt(spec, 'tokenRequests')),
    ...listAt(spec, 'volumeLifecycleModes').flatMap((mode) =>
      validateChoice(String(mode), ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes'),
    ),
    ...validateUpdatePeriod(at(spec, 'nodeAllocatableUpdatePeriodSeconds')),
  ];
}

function validateUpdatePeriod(seconds: Json | undefined): FieldError[] {
  if (seconds === undefined || Number(seconds) >= 10) return [];
  const field = 'spec.nodeAllocatableUpdatePeriodSeconds';
  return [fieldError.invalid(field, seconds, 'must be greater than or equal to 10 seconds')];
}

function validateTokenRequests(requests: readonly Json[]): FieldError[] {
  const audiences = new Set<string>();
  return validateItems(requests, 'spec.tokenRequests', (request, field) => {
    const audience = textAt(request, 'audience');
    if (audiences.has(audience)) return [fieldError.duplicate(`${field}.audience`, audience)];
    audiences.add(audience);
    const seconds = at(request, 'expirationSeconds');
    if (typeof seconds !== 'number' && typeof seconds !== 'bigint') return [];
    const refuse = (why: string) => [fieldError.invalid(`${field}.expirationSeconds`, seconds, why)];
    if (seconds < LEAST_TOKEN_SECONDS) return refuse('may not specify a duration less than 10 minutes');
    return seconds > MOST_TOKEN_SECONDS ? refuse('may not specify a duration larger than 2^32 seconds') : [];
  });
}

export const csiDriverRules: Partial<Behaviour> = {
  validate: validateDriver,
  validateUpdate: (next, previous) => [
    ...validateImmutable(
      at(next, 'spec', 'attachRequired'),
      at(previous, 'spec', 'attachRequired'),
      'spec.attachedRequired',
    ),
    ...validateImmutable(
      at(next, 'spec', 'volumeLifecycleModes'),
      at(previous, 'spec', 'volumeLifecycleModes'),
      'spec.volumeLifecycleModes',
    ),
  ],
};

function validateNodeDrivers({ spec }: ApiObject): FieldError[] {
  const names = new Set<string>();
  return validateItems(listAt(spec, 'drivers'), 'spec.drivers', (driver, field) => {
    const [name, nodeId] = [textAt(driver, 'name'), textAt(driver, 'nodeID')];
    const found = [...validateDriverName(name, `${field}.name`), ...validateRequired(nodeId, `${field}.nodeID`)];
    if (byteLength(nodeId) > NODE_ID_BYTES) {
      found.push(fieldError.invalid(`${field}.nodeID`, nodeId, `must be ${NODE_ID_BYTES} characters or less`));
    }
    const count = numberAt(driver, 'allocatable', 'count');
    if (count < 0) {
      found.push(fieldError.invalid(`${field}.allocatable.count`, count, 'must be greater than or equal to 0'));
    }
    if (names.has(name)) found.push(fieldError.duplicate(`${field}.name`, name));
    names.add(name);
    return [...found, ...validateTopologyKeys(listAt(driver, 'topologyKeys').map(String), field)];
  });
}

/** Their errors stand at the driver. */
function validateTopologyKeys(keys: readonly string[], field: string): FieldError[] {
  return keys.flatMap((key, index) => [
    ...validateRequired(key, field),
    ...(keys.indexOf(key) < index ? [fieldError.duplicate(field, key)] : []),
    ...faultErrors(qualifiedNameFaults(key), key, field),
  ]);
}

/** Drivers come and go; one that stays is as it was. */
function validateNodeDriversUpdate(next: ApiObject, previous: ApiObject): FieldError[] {
  const drivers = listAt(next, 'spec', 'drivers');
  return listAt(previous, 'spec', 'drivers').flatMap((before) => {
    const now = drivers.find((driver) => textAt(driver, 'name') === textAt(before, 'name'));
    return now === undefined || equalJson(now, before) ? [] : [fieldError.invalid('spec.drivers', now, IMMUTABLE)];
  });
}

export const csiNodeRules: Partial<Behaviour> = {
  updateChecks: ['metadata', 'content', 'metadata', 'content', 'change'],
  validate: validateNodeDrivers,
  validateUpdate: validateNodeDriversUpdate,
};

function validateCapacity(capacity: ApiObject): FieldError[] {
  const storageClass = textAt(capacity, 'storageClassName');
  return [
    ...validateLabelSelector(at(capacity, 'nodeTopology') as LabelSelectorFields | undefined, 'nodeTopology'),
    ...faultErrors(subdomainFaults(storageClass), storageClass, 'storageClassName'),
    ...validateNonNegativeQuantity(textAt(capacity, 'capacity'), 'capacity'),
  ];
}

export const storageCapacityRules: Partial<Behaviour> = {
  updateChecks: ['metadata', 'content', 'metadataChange', 'change'],
  validate: validateCapacity,
  validateUpdate: (next, previous) => [
    ...validateImmutable(next['nodeTopology'], previous['nodeTopology'], 'nodeTopology'),
    ...validateImmutableText(next['storageClassName'], previous['storageClassName'], 'storageClassName'),
  ],
};
