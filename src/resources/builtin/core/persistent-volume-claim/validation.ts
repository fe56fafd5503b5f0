// Validation of PersistentVolumeClaims.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { IMMUTABLE } from '../../../../api/metadata-validation.ts';
import { labelFaults, qualifiedNameFaults, subdomainFaults } from '../../../../api/names.ts';
import type { KindRules, StrategyContext } from '../../../definition.ts';
import { faultErrors, validateChoice, validateImmutable, validateRequired } from '../../../validation/field-rules.ts';
import { keepableValues } from '../../../validation/kept-faults.ts';
import { type LabelSelectorFields, validateLabelSelector } from '../../../validation/label-selector.ts';
import { compareAmounts, isNativeResource } from '../../../validation/quantities.ts';
import { differenceBehind, wholeObject } from '../../../validation/whole-objects.ts';
import { sortedEntries, textAt } from '../../../value.ts';
import {
  STORAGE_CLASS_ANNOTATION,
  validateAccessModes,
  validatePositiveSize,
  validateSize,
} from '../persistent-volume/validation.ts';
import type { TypedLocalObjectReference } from '../reference-objects.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from './objects.ts';
import { PersistentVolumeClaimSpec as PersistentVolumeClaimType } from './types.ts';
import { claimWarnings } from './warnings.ts';

const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/**
 * The spec of a claim or claim template.
 *
 * @param mayHaveAnyGroup whether the group of the data source may be any text
 */
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec | undefined,
  field: string,
  mayHaveAnyGroup = false,
): FieldError[] {
  const modes = spec?.accessModes ?? [];
  const size = spec?.resources?.requests?.storage;
  const sizeField = `${field}.resources[storage]`;
  const [storageClass, attributesClass] = [spec?.storageClassName ?? '', spec?.volumeAttributesClassName ?? ''];
  const mode = spec?.volumeMode;
  return [
    ...(modes.length === 0 ? [fieldError.required(`${field}.accessModes`, 'at least 1 access mode is required')] : []),
    ...keepableValues(
      'selectors',
      validateLabelSelector(spec?.selector as LabelSelectorFields | undefined, `${field}.selector`),
    ),
    ...validateAccessModes(modes, `${field}.accessModes`),
    ...(size === undefined ? [fieldError.required(sizeField)] : validatePositiveSize(String(size), sizeField)),
    ...(storageClass === ''
      ? []
      : faultErrors(subdomainFaults(storageClass), storageClass, `${field}.storageClassName`)),
    ...(typeof mode === 'string' ? validateChoice(mode, ['Block', 'Filesystem'], `${field}.volumeMode`) : []),
    ...validateSources(spec, field, mayHaveAnyGroup),
    ...(attributesClass === ''
      ? []
      : faultErrors(subdomainFaults(attributesClass), attributesClass, `${field}.volumeAttributesClassName`)),
  ];
}

function validateSources(
  spec: PersistentVolumeClaimSpec | undefined,
  field: string,
  mayHaveAnyGroup: boolean,
): FieldError[] {
  const source = spec?.dataSource;
  const reference = spec?.dataSourceRef;
  const found: FieldError[] = [];
  if (source !== undefined) found.push(...validateSource(source, `${field}.dataSource`, mayHaveAnyGroup));
  if (reference !== undefined) {
    const namespace = reference.namespace ?? '';
    const path = `${field}.dataSourceRef`;
    found.push(...validateSource(reference, path, mayHaveAnyGroup));
    if (namespace !== '') found.push(...faultErrors(labelFaults(namespace), namespace, `${path}.namespace`));
  }
  if (source === undefined || reference === undefined) return found;
  if ((reference.namespace ?? '') !== '') {
    return [
      ...found,
      // The message quotes the path of the source, whose value is empty.
      fieldError.invalid(field, {}, 'may not be specified when dataSourceRef.namespace is specified'),
    ];
  }
  const same = ['apiGroup', 'kind', 'name'].every((each) => textAt(source, each) === textAt(reference, each));
  // Kubernetes' message quotes the path, whose value is empty.
  return same ? found : [...found, fieldError.invalid(field, {}, 'must match dataSourceRef')];
}

/** @param mayHaveAnyGroup whether its group may be any text */
function validateSource(source: TypedLocalObjectReference, field: string, mayHaveAnyGroup: boolean): FieldError[] {
  const [group, kind] = [source.apiGroup ?? '', source.kind ?? ''];
  const found = [...validateRequired(source.name ?? '', `${field}.name`), ...validateRequired(kind, `${field}.kind`)];
  if (group !== '') {
    return mayHaveAnyGroup ? found : [...found, ...faultErrors(subdomainFaults(group), group, `${field}.apiGroup`)];
  }
  if (kind === 'PersistentVolumeClaim') return found;
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [...found, fieldError.invalid(field, kind, why)];
}

/** An update may bind a claim once, enlarge it once it is bound, and change its VolumeAttributesClass. */
function validateClaimUpdate(
  next: PersistentVolumeClaim,
  previous: PersistentVolumeClaim,
  context: StrategyContext,
): FieldError[] {
  const found: FieldError[] = [];
  const [annotation, annotationBefore] = [next, previous].map(
    ({ metadata }) => metadata.annotations?.[STORAGE_CLASS_ANNOTATION] ?? '',
  );
  const upgraded = isClassUpgrade(next, previous);
  if (!upgraded && annotation !== annotationBefore) {
    found.push(fieldError.invalid(`metadata.annotations.${STORAGE_CLASS_ANNOTATION}`, annotation, IMMUTABLE));
  }
  const [spec, before] = comparableSpecs(next, previous, upgraded);
  if (!equalJson(spec, before)) {
    const why =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    const whole = { type: PersistentVolumeClaimType, minor: context.minor };
    const change = differenceBehind(whole, wholeObject(whole, before), wholeObject(whole, spec));
    found.push(fieldError.forbidden('spec', `${why}${change}`));
  }
  found.push(...validateNotSmaller(next, previous, context));
  found.push(...validateImmutable(next.spec?.volumeMode, previous.spec?.volumeMode, 'volumeMode'));
  return [...found, ...validateClassStays(next, previous)];
}

/** A VolumeAttributesClass can be replaced but not removed. */
function validateClassStays(next: PersistentVolumeClaim, previous: PersistentVolumeClaim): FieldError[] {
  const [attributes, before] = [next, previous].map((each) => each.spec?.volumeAttributesClassName);
  const current = previous.status?.currentVolumeAttributesClassName;
  if (attributes === before || typeof current !== 'string' || (attributes ?? '') !== '') return [];
  const what = attributes === '' ? 'empty string' : 'nil';
  const why = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [fieldError.forbidden('spec.volumeAttributesClassName', why)];
}

/** The class was in an annotation or absent, and is now in the spec. */
function isClassUpgrade(next: PersistentVolumeClaim, previous: PersistentVolumeClaim): boolean {
  const before = previous.spec?.storageClassName;
  const now = next.spec?.storageClassName;
  if (typeof before === 'string' || typeof now !== 'string') return false;
  const annotation = previous.metadata.annotations?.[STORAGE_CLASS_ANNOTATION];
  return (
    annotation === undefined ||
    (annotation === now && next.metadata.annotations?.[STORAGE_CLASS_ANNOTATION] === undefined)
  );
}

/** Both specs with their mutable parts made equal. */
function comparableSpecs(
  next: PersistentVolumeClaim,
  previous: PersistentVolumeClaim,
  upgraded: boolean,
): [PersistentVolumeClaimSpec, PersistentVolumeClaimSpec] {
  const spec: { -readonly [M in keyof PersistentVolumeClaimSpec]: PersistentVolumeClaimSpec[M] } = { ...next.spec };
  // The name of the volume can be set once.
  const isUnnamed = (previous.spec?.volumeName ?? '') === '';
  const before = isUnnamed ? { ...previous.spec, volumeName: spec.volumeName } : (previous.spec ?? {});
  if (upgraded) spec.storageClassName = before.storageClassName;
  if ((next.status?.phase ?? '') !== 'Bound') return [spec, before];
  spec.volumeAttributesClassName = before.volumeAttributesClassName;
  const requests = spec.resources?.requests;
  if (requests !== undefined) {
    const { storage: _asked, ...others } = requests;
    const held = before.resources?.requests?.['storage'];
    spec.resources = { ...spec.resources, requests: held === undefined ? others : { ...others, storage: held } };
  }
  return [spec, before];
}

function validateNotSmaller(
  next: PersistentVolumeClaim,
  previous: PersistentVolumeClaim,
  { gateEnabled }: StrategyContext,
): FieldError[] {
  const size = String(next.spec?.resources?.requests?.storage ?? '0');
  const before = String(previous.spec?.resources?.requests?.storage ?? '0');
  if (compareAmounts(size, before) >= 0) return [];
  const field = 'spec.resources.requests.storage';
  if (!gateEnabled('RecoverVolumeExpansionFailure')) {
    return [fieldError.forbidden(field, 'field can not be less than previous value')];
  }
  // A claim may reduce a request that has not been fulfilled.
  const held = previous.status?.capacity?.storage ?? '0';
  if (compareAmounts(size, String(held)) > 0) return [];
  return [fieldError.forbidden(field, 'field can not be less than status.capacity')];
}

function validateClaimStatus(claim: PersistentVolumeClaim): FieldError[] {
  const found = sortedEntries(claim.status?.capacity).flatMap(([name, amount]) =>
    validateSize(String(amount), `status.capacity[${name}]`),
  );
  for (const [name, state] of sortedEntries(claim.status?.allocatedResourceStatuses)) {
    const field = 'status.allocatedResourceStatuses';
    found.push(...validateClaimResource(name, field));
    if (!RESIZE_STATES.includes(String(state))) found.push(fieldError.notSupported(field, name, RESIZE_STATES));
  }
  for (const [name, amount] of sortedEntries(claim.status?.allocatedResources)) {
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

/** Claims whose data source has a group may name any group from then on. */
function namesGroup(claim: PersistentVolumeClaim | undefined): boolean {
  const { dataSource, dataSourceRef } = claim?.spec ?? {};
  return (dataSource?.apiGroup ?? dataSourceRef?.apiGroup ?? null) !== null;
}

export const persistentVolumeClaimRules: KindRules<PersistentVolumeClaim> = {
  checks: {
    update: ['metadata', 'content', 'metadataChange', 'metadata', 'content', 'change'],
    later: { since: 35, update: ['metadataChange', 'metadata', 'content', 'change'] },
  },
  validate: (claim, _context, previous) => validateClaimSpec(claim.spec, 'spec', namesGroup(previous)),
  validateUpdate: validateClaimUpdate,
  subresources: { status: { validateUpdate: validateClaimStatus } },
  warnings: claimWarnings,
};
