// Validation of StorageClasses, VolumeAttributesClasses, CSIDrivers, CSINodes and CSIStorageCapacities.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { stringifyJson } from '../../../api/json-writer.ts';
import { IMMUTABLE } from '../../../api/metadata-validation.ts';
import { byteLength, qualifiedNameFaults, subdomainFaults } from '../../../api/names.ts';
import type { Json } from '../../../api/object.ts';
import { firstPlaces } from '../../../base/first-places.ts';
import { limits } from '../../../base/limits.ts';
import { remembering } from '../../../base/resumed.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { validateReason } from '../../validation/conditions.ts';
import {
  faultErrors,
  validateChoice,
  validateImmutable,
  validateImmutableText,
  validateItems,
  validateMostBytes,
  validateRequired,
} from '../../validation/field-rules.ts';
import { keepableValues } from '../../validation/kept-faults.ts';
import { type LabelSelectorFields, validateLabelSelector } from '../../validation/label-selector.ts';
import { validateNonNegativeQuantity } from '../../validation/quantities.ts';
import { wholeObject } from '../../validation/whole-objects.ts';
import { sortedEntries } from '../../value.ts';
import { deprecatedNodeLabel, nodeTermWarnings } from '../core/pod/node-term-warnings.ts';
import type { TopologySelectorTerm } from '../core/pod/scheduling-objects.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import { CSINodeDriver as CSINodeDriverType } from './v1.ts';
import type {
  CSIDriver,
  CSINode,
  CSINodeDriver,
  CSIStorageCapacity,
  StorageClass,
  StorageHealthCondition,
  TokenRequest,
  VolumeAttributesClass,
} from './v1-objects.ts';

const MAX_PARAMETERS = 512;
const PARAMETERS_BYTES = 256 * 1024;
const NODE_ID_BYTES = 256;
const MIN_TOKEN_SECONDS = 10 * 60;
const MAX_TOKEN_SECONDS = 2 ** 32;

/** A provisioner or driver has a qualified name in any case. */
function validateProvisioner(name: string, field: string): FieldError[] {
  if (name === '') return [fieldError.required(field)];
  const lower = name.toLowerCase();
  return faultErrors(qualifiedNameFaults(lower), lower, field);
}

function validateParameters(parameters: readonly [string, string][], field: string): FieldError[] {
  if (parameters.length > MAX_PARAMETERS) return [fieldError.tooLong(field, MAX_PARAMETERS)];
  const found: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of parameters) {
    if (key === '') found.push(fieldError.invalid(field, key, 'field can not be empty.'));
    bytes += byteLength(key) + byteLength(value);
  }
  return bytes > PARAMETERS_BYTES ? [...found, fieldError.tooLong(field, PARAMETERS_BYTES)] : found;
}

/** Immutable fields, with this group's message. */
function validateNoUpdates<T>(next: T, previous: T, members: readonly (keyof T & string)[]): FieldError[] {
  return members
    .filter((member) => !equalJson(next[member] ?? null, previous[member] ?? null))
    .map((member) => fieldError.forbidden(member, `updates to ${member} are forbidden.`));
}

function validateStorageClass(storageClass: StorageClass): FieldError[] {
  const reclaim = storageClass.reclaimPolicy ?? '';
  const mode = storageClass.volumeBindingMode;
  return [
    ...validateProvisioner(storageClass.provisioner ?? '', 'provisioner'),
    ...validateParameters(sortedEntries(storageClass.parameters), 'parameters'),
    ...(reclaim === '' ? [] : validateChoice(reclaim, ['Delete', 'Retain'], 'reclaimPolicy')),
    ...(typeof mode === 'string'
      ? validateChoice(mode, ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode')
      : [fieldError.required('volumeBindingMode')]),
    ...validateTopologies(storageClass.allowedTopologies ?? []),
  ];
}

/** Terms must differ; an empty term counts as a duplicate even if it is alone, as in Kubernetes. */
function validateTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  // The number of equal terms: those so far, plus the number of all terms for an empty one.
  const make = () => ({ known: new Map([['{}', terms.length]]), repetitions: 0 });
  return remembering(make, (memory) =>
    validateItems(terms, 'allowedTopologies', (term, field) => {
      const here = `${field}.matchLabelExpressions`;
      const expressions: Record<string, Json> = {};
      const found = validateItems(term.matchLabelExpressions ?? [], here, (expression, path) => {
        const key = expression.key ?? '';
        const values = expression.values ?? [];
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
      const said = stringifyJson(Object.fromEntries(sortedEntries(expressions)));
      const { known } = memory;
      const equal = Math.min(known.get(said) ?? 0, limits.repetitionErrors - memory.repetitions);
      memory.repetitions += equal;
      for (let copy = 0; copy < equal; copy++) found.push(fieldError.duplicate(here, ''));
      known.set(said, (known.get(said) ?? 0) + 1);
      return found;
    }),
  );
}

/** Fields of a StorageClass that stay, besides its binding mode; until 1.35 with this group's message. */
const FIXED = ['parameters', 'provisioner', 'reclaimPolicy'] as const;

export const storageClassRules: KindRules<StorageClass> = {
  checks: { update: ['metadata', 'content', 'metadataChange', 'change'], changeTellsEmpty: { before: 36 } },
  validate: validateStorageClass,
  validateUpdate: (next, previous, context) => [
    ...(isSince(context, 36)
      ? FIXED.flatMap((member) => validateImmutable(next[member], previous[member], member))
      : validateNoUpdates(next, previous, FIXED)),
    ...validateImmutable(next.volumeBindingMode, previous.volumeBindingMode, 'volumeBindingMode'),
  ],
  warnings: ({ allowedTopologies = [] }, _previous, context) =>
    allowedTopologies.flatMap(({ matchLabelExpressions = [] }, index) =>
      matchLabelExpressions.flatMap(({ key = '' }, place) => {
        const field = `allowedTopologies[${index}].matchLabelExpressions[${place}].key`;
        const deprecation = deprecatedNodeLabel(key, context);
        return deprecation === undefined ? [] : [`${field}: ${deprecation}`];
      }),
    ),
};

function validateAttributesClass(attributesClass: VolumeAttributesClass): FieldError[] {
  const parameters = sortedEntries(attributesClass.parameters);
  return [
    ...validateProvisioner(attributesClass.driverName ?? '', 'driverName'),
    ...(parameters.length === 0
      ? [fieldError.required('parameters', 'must contain at least one key/value pair')]
      : validateParameters(parameters, 'parameters')),
  ];
}

export const attributesClassRules: KindRules<VolumeAttributesClass> = {
  checks: {
    update: ['metadata', 'content', 'metadataChange', 'change', 'metadata', 'content'],
    later: { since: 35, update: ['metadataChange', 'change', 'metadata', 'content'] },
  },
  validate: validateAttributesClass,
  validateUpdate: (next, previous) => validateNoUpdates(next, previous, ['driverName', 'parameters']),
};

function validateDriver({ spec }: CSIDriver): FieldError[] {
  const policy = spec?.fsGroupPolicy;
  const policies = ['File', 'None', 'ReadWriteOnceWithFSType'];
  const required = (member: 'attachRequired' | 'podInfoOnMount' | 'storageCapacity', field: string) =>
    spec?.[member] !== undefined ? [] : [fieldError.required(`spec.${field}`)];
  return [
    // Its name in Kubernetes' messages.
    ...required('attachRequired', 'attachedRequired'),
    ...required('podInfoOnMount', 'podInfoOnMount'),
    ...required('storageCapacity', 'storageCapacity'),
    ...(policy !== undefined
      ? validateChoice(policy, policies, 'spec.fsGroupPolicy')
      : [fieldError.required('spec.fsGroupPolicy')]),
    ...validateTokenRequests(spec?.tokenRequests ?? []),
    ...(spec?.volumeLifecycleModes ?? []).flatMap((mode) =>
      validateChoice(mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes'),
    ),
    ...validateUpdatePeriod(spec?.nodeAllocatableUpdatePeriodSeconds),
  ];
}

function validateUpdatePeriod(seconds: number | bigint | undefined): FieldError[] {
  if (seconds === undefined || Number(seconds) >= 10) return [];
  const field = 'spec.nodeAllocatableUpdatePeriodSeconds';
  return [fieldError.invalid(field, seconds, 'must be greater than or equal to 10 seconds')];
}

function validateTokenRequests(requests: readonly TokenRequest[]): FieldError[] {
  return remembering(
    () => new Set<string>(),
    (audiences) =>
      validateItems(requests, 'spec.tokenRequests', (request, field) => {
        const audience = request.audience ?? '';
        if (audiences.has(audience)) return [fieldError.duplicate(`${field}.audience`, audience)];
        audiences.add(audience);
        const seconds = request.expirationSeconds;
        if (typeof seconds !== 'number' && typeof seconds !== 'bigint') return [];
        const refuse = (why: string) => [fieldError.invalid(`${field}.expirationSeconds`, seconds, why)];
        if (seconds < MIN_TOKEN_SECONDS) return refuse('may not specify a duration less than 10 minutes');
        return seconds > MAX_TOKEN_SECONDS ? refuse('may not specify a duration larger than 2^32 seconds') : [];
      }),
  );
}

/** The first minor release in which fsGroupPolicy, podInfoOnMount and tokenRequests of a driver may be changed. */
const DRIVERS_CHANGE = 30;

export const csiDriverRules: KindRules<CSIDriver> = {
  validate: validateDriver,
  validateUpdate: ({ spec }, { spec: before }, context) => {
    const fixed = (member: 'fsGroupPolicy' | 'podInfoOnMount' | 'volumeLifecycleModes') =>
      validateImmutable(spec?.[member], before?.[member], `spec.${member}`);
    const mayChange = isSince(context, DRIVERS_CHANGE);
    return [
      ...validateImmutable(spec?.attachRequired, before?.attachRequired, 'spec.attachedRequired'),
      ...(mayChange ? [] : [...fixed('fsGroupPolicy'), ...fixed('podInfoOnMount')]),
      ...fixed('volumeLifecycleModes'),
      // Kubernetes reports these errors twice.
      ...(mayChange ? [] : validateTokenRequests(spec?.tokenRequests ?? [])),
    ];
  },
};

function validateNodeDrivers({ spec }: CSINode): FieldError[] {
  return remembering(
    () => new Set<string>(),
    (names) =>
      validateItems(spec?.drivers ?? [], 'spec.drivers', (driver, field) => {
        const [name, nodeId] = [driver.name ?? '', driver.nodeID ?? ''];
        const found = [...validateDriverName(name, `${field}.name`), ...validateRequired(nodeId, `${field}.nodeID`)];
        if (byteLength(nodeId) > NODE_ID_BYTES) {
          found.push(fieldError.invalid(`${field}.nodeID`, nodeId, `must be ${NODE_ID_BYTES} characters or less`));
        }
        const count = driver.allocatable?.count ?? 0;
        if (count < 0) {
          found.push(fieldError.invalid(`${field}.allocatable.count`, count, 'must be greater than or equal to 0'));
        }
        if (names.has(name)) found.push(fieldError.duplicate(`${field}.name`, name));
        names.add(name);
        return [...found, ...validateTopologyKeys((driver.topologyKeys ?? []).map(String), field)];
      }),
  );
}

/** Errors are reported for the driver. */
function validateTopologyKeys(keys: readonly string[], field: string): FieldError[] {
  const places = firstPlaces(keys);
  return keys.flatMap((key, index) => [
    ...validateRequired(key, field),
    ...(places.get(key) !== index ? [fieldError.duplicate(field, key)] : []),
    ...faultErrors(qualifiedNameFaults(key), key, field),
  ]);
}

/**
 * Drivers can be added and removed, but an existing one is immutable, and so are its duplicates. A gate allows changing
 * its allocatable count.
 */
function validateNodeDriversUpdate(
  next: CSINode,
  previous: CSINode,
  { gateEnabled, minor }: StrategyContext,
): FieldError[] {
  const mayCount = gateEnabled('MutableCSINodeAllocatableCount');
  const fixed = (driver: CSINodeDriver) => (mayCount ? { ...driver, allocatable: undefined } : driver);
  const drivers = Map.groupBy(next.spec?.drivers ?? [], ({ name = '' }) => name);
  return (previous.spec?.drivers ?? []).flatMap((before) =>
    (drivers.get(before.name ?? '') ?? [])
      .filter((now) => !equalJson(fixed(now), fixed(before)))
      .map((now) =>
        fieldError.invalid('spec.drivers', wholeObject({ type: CSINodeDriverType, minor }, now), IMMUTABLE),
      ),
  );
}

const HEALTH_STATUSES = ['StorageDegraded', 'StorageUnreachable'];
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const MOST_CONDITIONS = 16;
const REASON_BYTES = 256;
const MESSAGE_BYTES = 1024;

/** What a node reports about the storage of its drivers. */
function validateNodeHealth({ status }: CSINode): FieldError[] {
  const all = status?.storageHealth ?? [];
  const places = firstPlaces(all.map(({ name = '' }) => name));
  return all.flatMap(({ name = '', healthConditions = [] }, index) => {
    const here = `status.storageHealth[${index}]`;
    const isRepeated = places.get(name) !== index;
    const found = [
      ...(isRepeated ? [fieldError.duplicate(here, name)] : []),
      ...(name === '' ? [fieldError.required(`${here}.name`)] : validateDriverName(name, `${here}.name`)),
    ];
    const place = `${here}.healthConditions`;
    if (healthConditions.length > MOST_CONDITIONS) {
      return [...found, fieldError.tooMany(place, healthConditions.length, MOST_CONDITIONS)];
    }
    return [...found, ...healthConditions.flatMap((each, at) => validateHealth(each, `${place}[${at}]`))];
  });
}

function validateHealth(condition: StorageHealthCondition, field: string): FieldError[] {
  const { status = '', reason = '', message = '', accessMode, volumeMode } = condition;
  const found = validateChoice(status, HEALTH_STATUSES, `${field}.status`);
  if (reason === '') found.push(fieldError.required(`${field}.reason`));
  else found.push(...validateReason(reason, REASON_BYTES, `${field}.reason`));
  found.push(...validateMostBytes(message, MESSAGE_BYTES, `${field}.message`));
  if (accessMode !== undefined) found.push(...validateChoice(accessMode, ACCESS_MODES, `${field}.accessMode`));
  if (volumeMode === undefined || volumeMode === 'Filesystem' || volumeMode === 'Block') return found;
  return [...found, fieldError.notSupported(`${field}.volumeMode`, volumeMode, ['Filesystem', 'Block'])];
}

export const csiNodeRules: KindRules<CSINode> = {
  checks: {
    update: ['metadata', 'content', 'metadata', 'content', 'change'],
    later: { since: 36, update: ['metadata', 'content', 'change'] },
  },
  validate: validateNodeDrivers,
  validateUpdate: validateNodeDriversUpdate,
  subresources: { status: { validateUpdate: validateNodeHealth } },
};

function validateCapacity(capacity: CSIStorageCapacity): FieldError[] {
  const storageClass = capacity.storageClassName ?? '';
  return [
    ...keepableValues(
      'selectors',
      validateLabelSelector(capacity.nodeTopology as LabelSelectorFields | undefined, 'nodeTopology'),
    ),
    ...faultErrors(subdomainFaults(storageClass), storageClass, 'storageClassName'),
    ...validateNonNegativeQuantity(capacity.capacity ?? '', 'capacity'),
  ];
}

export const storageCapacityRules: KindRules<CSIStorageCapacity> = {
  checks: { update: ['metadata', 'content', 'metadataChange', 'change'] },
  validate: validateCapacity,
  validateUpdate: (next, previous) => [
    ...validateImmutable(next['nodeTopology'], previous['nodeTopology'], 'nodeTopology'),
    ...validateImmutableText(next['storageClassName'], previous['storageClassName'], 'storageClassName'),
  ],
  warnings: ({ nodeTopology = {} }, _previous, { minor }) => [
    ...nodeTermWarnings(nodeTopology, { values: false, minor }, 'nodeTopology'),
    ...Object.keys(nodeTopology.matchLabels ?? {}).flatMap((label) => {
      const deprecation = deprecatedNodeLabel(label, { minor });
      return deprecation === undefined ? [] : [`nodeTopology.matchLabels.${label}: ${deprecation}`];
    }),
  ],
};
