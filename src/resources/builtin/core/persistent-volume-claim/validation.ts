// The rules of persistent volume claims.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { labelFaults, qualifiedNameFaults, subdomainFaults } from '../../../../api/names.ts';
import type { ApiObject, Json, JsonObject } from '../../../../api/object.ts';
import type { Behaviour } from '../../../definition.ts';
import {
  faultErrors,
  IMMUTABLE,
  validateChoice,
  validateImmutable,
  validateRequired,
} from '../../../validation/field-rules.ts';
import { type LabelSelectorFields, validateLabelSelector } from '../../../validation/label-selector.ts';
import { compareAmounts, isNativeResource } from '../../../validation/quantities.ts';
import { at, entriesAt, isObject, listAt, textAt } from '../../../value.ts';
import {
  STORAGE_CLASS_ANNOTATION,
  validateAccessModes,
  validatePositiveSize,
  validateSize,
} from '../persistent-volume/validation.ts';
import { claimWarnings } from './warnings.ts';

const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** The spec of a claim, also of one in a template. */
export function validateClaimSpec(spec: Json | undefined, field: string): FieldError[] {
  const modes = listAt(spec, 'accessModes');
  const size = at(spec, 'resources', 'requests', 'storage');
  const sizeField = `${field}.resources[storage]`;
  const [storageClass, attributesClass] = [textAt(spec, 'storageClassName'), textAt(spec, 'volumeAttributesClassName')];
  const mode = at(spec, 'volumeMode');
  return [
    ...(modes.length === 0 ? [fieldError.required(`${field}.accessModes`, 'at least 1 access mode is required')] : []),
    ...validateLabelSelector(at(spec, 'selector') as LabelSelectorFields | undefined, `${field}.selector`),
    ...validateAccessModes(modes, `${field}.accessModes`),
    ...(size === undefined ? [fieldError.required(sizeField)] : validatePositiveSize(String(size), sizeField)),
    ...(storageClass === ''
      ? []
      : faultErrors(subdomainFaults(storageClass), storageClass, `${field}.storageClassName`)),
    ...(typeof mode === 'string' ? validateChoice(mode, ['Block', 'Filesystem'], `${field}.volumeMode`) : []),
    ...validateSources(spec, field),
    ...(attributesClass === ''
      ? []
      : faultErrors(subdomainFaults(attributesClass), attributesClass, `${field}.volumeAttributesClassName`)),
  ];
}

function validateSources(spec: Json | undefined, field: string): FieldError[] {
  const source = at(spec, 'dataSource');
  const reference = at(spec, 'dataSourceRef');
  const found: FieldError[] = [];
  if (isObject(source)) found.push(...validateSource(source, `${field}.dataSource`));
  if (isObject(reference)) {
    const namespace = textAt(reference, 'namespace');
    const path = `${field}.dataSourceRef`;
    found.push(...validateSource(reference, path));
    if (namespace !== '') found.push(...faultErrors(labelFaults(namespace), namespace, `${path}.namespace`));
  }
  if (!isObject(source) || !isObject(reference)) return found;
  if (textAt(reference, 'namespace') !== '') {
    return [
      ...found,
      fieldError.invalid(field, spec, 'may not be specified when dataSourceRef.namespace is specified'),
    ];
  }
  const same = ['apiGroup', 'kind', 'name'].every((each) => textAt(source, each) === textAt(reference, each));
  return same ? found : [...found, fieldError.invalid(field, spec, 'must match dataSourceRef')];
}

function validateSource(source: JsonObject, field: string): FieldError[] {
  const [group, kind] = [textAt(source, 'apiGroup'), textAt(source, 'kind')];
  const found = [
    ...validateRequired(textAt(source, 'name'), `${field}.name`),
    ...validateRequired(kind, `${field}.kind`),
  ];
  if (group !== '') return [...found, ...faultErrors(subdomainFaults(group), group, `${field}.apiGroup`)];
  if (kind === 'PersistentVolumeClaim') return found;
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [...found, fieldError.invalid(field, kind, why)];
}

/** A claim may be bound once, may grow once it is bound, and may change its volume attributes class. */
function validateClaimUpdate(next: ApiObject, previous: ApiObject): FieldError[] {
  const found: FieldError[] = [];
  const [annotation, annotationBefore] = [next, previous].map(
    ({ metadata }) => metadata.annotations?.[STORAGE_CLASS_ANNOTATION] ?? '',
  );
  const upgraded = isClassUpgrade(next, previous);
  if (!upgraded && annotation !== annotationBefore) {
    found.push(fieldError.invalid(`metadata.annotations.${STORAGE_CLASS_ANNOTATION}`, annotation, IMMUTABLE));
  }
  if (!equalJson(...comparableSpecs(next, previous, upgraded))) {
    const why =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    found.push(fieldError.forbidden('spec', why));
  }
  found.push(...validateNotSmaller(next, previous));
  found.push(...validateImmutable(at(next, 'spec', 'volumeMode'), at(previous, 'spec', 'volumeMode'), 'volumeMode'));
  return [...found, ...validateClassStays(next, previous)];
}

/** A volume that has attributes of a class stays with one. */
function validateClassStays(next: ApiObject, previous: ApiObject): FieldError[] {
  const [attributes, before] = [next, previous].map((each) => at(each, 'spec', 'volumeAttributesClassName'));
  const current = at(previous, 'status', 'currentVolumeAttributesClassName');
  if (attributes === before || typeof current !== 'string' || (attributes ?? '') !== '') return [];
  const what = attributes === '' ? 'empty string' : 'nil';
  const why = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [fieldError.forbidden('spec.volumeAttributesClassName', why)];
}

/** The class stood in an annotation or nowhere at all, and is now named in the spec. */
function isClassUpgrade(next: ApiObject, previous: ApiObject): boolean {
  const before = at(previous, 'spec', 'storageClassName');
  const now = at(next, 'spec', 'storageClassName');
  if (typeof before === 'string' || typeof now !== 'string') return false;
  const annotation = previous.metadata.annotations?.[STORAGE_CLASS_ANNOTATION];
  return (
    annotation === undefined ||
    (annotation === now && next.metadata.annotations?.[STORAGE_CLASS_ANNOTATION] === undefined)
  );
}

/** The specs of both with what may differ made the same. */
function comparableSpecs(next: ApiObject, previous: ApiObject, upgraded: boolean): [Json, Json] {
  const [spec, before] = [next, previous].map((each) => ({ ...(at(each, 'spec') as JsonObject) })) as [
    JsonObject,
    JsonObject,
  ];
  if (textAt(before, 'volumeName') === '') spec['volumeName'] = before['volumeName'];
  if (upgraded) spec['storageClassName'] = before['storageClassName'];
  if (textAt(next, 'status', 'phase') !== 'Bound') return [spec, before];
  spec['volumeAttributesClassName'] = before['volumeAttributesClassName'];
  const requests = at(spec, 'resources', 'requests');
  if (isObject(requests)) {
    const storage = at(before, 'resources', 'requests', 'storage');
    spec['resources'] = { ...(spec['resources'] as JsonObject), requests: { ...requests, storage } };
  }
  return [spec, before];
}

function validateNotSmaller(next: ApiObject, previous: ApiObject): FieldError[] {
  const size = at(next, 'spec', 'resources', 'requests', 'storage');
  const before = at(previous, 'spec', 'resources', 'requests', 'storage');
  if (size === undefined || before === undefined || compareAmounts(String(size), String(before)) >= 0) return [];
  const field = 'spec.resources.requests.storage';
  // A claim may give back what it asked for and has not got.
  const held = at(previous, 'status', 'capacity', 'storage') ?? '0';
  if (compareAmounts(String(size), String(held)) > 0) return [];
  return [fieldError.forbidden(field, 'field can not be less than status.capacity')];
}

function validateClaimStatus(claim: ApiObject): FieldError[] {
  const found = entriesAt(claim, 'status', 'capacity').flatMap(([name, amount]) =>
    validateSize(String(amount), `status.capacity[${name}]`),
  );
  for (const [name, state] of entriesAt(claim, 'status', 'allocatedResourceStatuses')) {
    const field = 'status.allocatedResourceStatuses';
    found.push(...validateClaimResource(name, field));
    if (!RESIZE_STATES.includes(String(state))) found.push(fieldError.notSupported(field, name, RESIZE_STATES));
  }
  for (const [name, amount] of entriesAt(claim, 'status', 'allocatedResources')) {
    const unknown = validateClaimResource(name, 'status.allocatedResources');
    found.push(...(unknown.length > 0 ? unknown : validateSize(String(amount), `status.allocatedResources[${name}]`)));
  }
  return found;
}

function validateClaimResource(name: string, field: string): FieldError[] {
  const found = faultErrors(qualifiedNameFaults(name), name, field);
  if (found.length > 0 || name === 'storage' || !isNativeResource(name)) return found;
  return [fieldError.notSupported(field, name, ['storage'])];
}

export const persistentVolumeClaimRules: Partial<Behaviour> = {
  updateChecks: ['metadata', 'content', 'metadataChange', 'metadata', 'content', 'change'],
  validate: (claim) => validateClaimSpec(at(claim, 'spec'), 'spec'),
  validateUpdate: validateClaimUpdate,
  validateStatusUpdate: validateClaimStatus,
  warnings: claimWarnings,
};
