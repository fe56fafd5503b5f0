// Validation of every object's metadata, for creates and updates, with Kubernetes' order and messages. Maps are checked
// in key order, so that messages are deterministic.

import { joined, NONE, ofItems, ofMembers } from '../base/findings.ts';
import { part } from '../base/resumed.ts';
import { type FieldError, type FieldErrors, fieldError } from './errors.ts';
import { parseApiVersion } from './group-version.ts';
import {
  ANNOTATIONS_BYTES,
  annotationKeyFaults,
  byteLength,
  finalizerDomainFaults,
  generateNameFaults,
  labelFaults,
  labelValueFaults,
  type NameRuleName,
  nameFaults,
  qualifiedNameFaults,
} from './names.ts';
import type { JsonObject, ObjectMeta, OwnerReference } from './object.ts';

interface MetadataRules {
  readonly namespaced: boolean;
  /** A rule of many kinds, or of one kind; `isPrefix` for a generateName. */
  readonly nameRule: NameRuleName | ((text: string, isPrefix: boolean) => readonly string[]);
  /** The path of the metadata: `metadata`, or `spec.template.metadata`. */
  readonly path: string;
  /** Finalizers of custom resources need no domain. */
  readonly anyFinalizer?: boolean;
  /** Whether errors name the owner reference they are about, and what it lacks is required: from 1.37 on. */
  readonly tellsOwners?: boolean;
}

/** The error of a field that an update must not change. */
export const IMMUTABLE = 'field is immutable';
const MANAGER_BYTES = 128;
const SUBRESOURCE_BYTES = 256;

/** Additional metadata rules of most kinds: finalizers have a domain. */
export function validateFinalizerDomains({ finalizers }: ObjectMeta, path: string): FieldErrors {
  return finalizerDomainErrors(finalizers, `${path}.finalizers`);
}

/** Validation errors of metadata. */
export function validateObjectMeta(meta: ObjectMeta, rules: MetadataRules): FieldErrors {
  const { path } = rules;
  return joined(
    nameErrors(meta, rules),
    namespaceErrors(meta, rules),
    generationErrors(meta, path),
    validateLabels(meta.labels, `${path}.labels`),
    validateAnnotations(meta.annotations, `${path}.annotations`),
    ownerReferenceErrors(meta.ownerReferences, `${path}.ownerReferences`, rules.tellsOwners === true),
    finalizerErrors(meta.finalizers, `${path}.finalizers`),
    validateManagedFields(meta.managedFields, `${path}.managedFields`),
    rules.anyFinalizer === true ? NONE : finalizerDomainErrors(meta.finalizers, `${path}.finalizers`),
  );
}

/**
 * Validation errors of an update of metadata. The caller restores what the server controls (creationTimestamp, the
 * deletion of an object that is being deleted) before, so that only real changes are seen. Labels and the like are
 * validated here again, as in Kubernetes: an update does not need validateObjectMeta.
 */
export function validateObjectMetaUpdate(
  next: ObjectMeta,
  previous: ObjectMeta,
  rules: Pick<MetadataRules, 'path' | 'anyFinalizer' | 'tellsOwners'> = { path: 'metadata' },
): FieldErrors {
  const { path } = rules;
  const { finalizers } = next;
  const isEnding = isSet(previous.deletionTimestamp);
  return joined(
    isEnding ? newFinalizerErrors(finalizers ?? [], previous.finalizers ?? [], path) : NONE,
    versionErrors(next, previous, path),
    immutableErrors(next, previous, path),
    validateLabels(next.labels, `${path}.labels`),
    validateAnnotations(next.annotations, `${path}.annotations`),
    ownerReferenceErrors(next.ownerReferences, `${path}.ownerReferences`, rules.tellsOwners === true),
    validateManagedFields(next.managedFields, `${path}.managedFields`),
    rules.anyFinalizer === true ? NONE : finalizerDomainErrors(finalizers, `${path}.finalizers`),
  );
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function nameErrors({ name, generateName }: ObjectMeta, { nameRule, path }: MetadataRules): FieldErrors {
  const faults = (text: string, isPrefix: boolean) => {
    if (typeof nameRule === 'function') return nameRule(text, isPrefix);
    return isPrefix ? generateNameFaults(nameRule, text) : nameFaults(nameRule, text);
  };
  return joined(
    generateName ? invalidText(faults(generateName, true), generateName, `${path}.generateName`) : NONE,
    name
      ? invalidText(faults(name, false), name, `${path}.name`)
      : [fieldError.required(`${path}.name`, 'name or generateName is required')],
  );
}

/** Converts the errors of a name rule to errors of the field. */
function invalidText(faults: readonly string[], text: string, field: string): FieldErrors {
  return faults.length === 0 ? NONE : faults.map((each) => fieldError.invalid(field, text, each));
}

function namespaceErrors({ namespace }: ObjectMeta, { namespaced, path }: MetadataRules): FieldErrors {
  const field = `${path}.namespace`;
  if (!namespaced) return namespace ? [fieldError.forbidden(field, 'not allowed on this type')] : NONE;
  if (!namespace) return [fieldError.required(field)];
  return invalidText(labelFaults(namespace), namespace, field);
}

function generationErrors({ generation }: ObjectMeta, path: string): FieldErrors {
  if (generation === undefined || generation === null || generation >= 0) return NONE;
  return [fieldError.invalid(`${path}.generation`, generation, 'must be greater than or equal to 0')];
}

/** Keys and values of labels; `field` is their path. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, field: string): FieldErrors {
  return ofMembers(labels, (key, value) =>
    joined(invalidText(qualifiedNameFaults(key), key, field), invalidText(labelValueFaults(value), value, field)),
  );
}

/** Keys of annotations, and their total size; `field` is their path. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldErrors {
  const found = ofMembers(annotations, (key) => invalidText(annotationKeyFaults(key), key, field));
  const bytes = part(() => bytesOf(annotations ?? {}));
  return bytes > ANNOTATIONS_BYTES ? [...found, fieldError.tooLong(field, ANNOTATIONS_BYTES)] : found;
}

function bytesOf(texts: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const key in texts) bytes += byteLength(key) + byteLength(texts[key] as string);
  return bytes;
}

function ownerReferenceErrors(
  owners: readonly OwnerReference[] | undefined,
  field: string,
  tellsOwners: boolean,
): FieldErrors {
  if (!owners) return NONE;
  const first = owners.find((owner) => owner.controller === true);
  let all: JsonObject[] | undefined;
  return ofItems(owners, (owner, index) => {
    const own = tellsOwners ? toldOwnerErrors(owner, `${field}[${index}]`) : ownerErrors(owner, field);
    if (owner.controller !== true || owner === first) return own;
    all ??= owners.map(written);
    return [...own, fieldError.invalid(field, all, secondController(first as OwnerReference, owner))];
  });
}

function secondController(first: OwnerReference, second: OwnerReference): string {
  const [one, other] = [first, second].map(({ kind, name }) => `${kind ?? ''}/${name ?? ''}`);
  return `Only one reference can have Controller set to true. Found "true" in references for ${one} and ${other}`;
}

function ownerErrors(owner: OwnerReference, field: string): FieldError[] {
  const found: FieldError[] = [];
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner;
  const version = parseApiVersion(apiVersion);
  if (version === undefined || version.version === '') {
    found.push(fieldError.invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
  }
  for (const [member, value] of [
    ['kind', kind],
    ['name', name],
    ['uid', uid],
  ] as const) {
    if (!value) found.push(fieldError.invalid(`${field}.${member}`, value, 'must not be empty'));
  }
  return [...found, ...bannedOwnerErrors(owner, field)];
}

function toldOwnerErrors(owner: OwnerReference, field: string): FieldError[] {
  const { apiVersion = '' } = owner;
  const version = parseApiVersion(apiVersion);
  const missing = (['apiVersion', 'kind', 'name', 'uid'] as const).filter((member) => !owner[member]);
  const isMalformed = apiVersion !== '' && !version?.version;
  return [
    ...(isMalformed
      ? [fieldError.invalid(`${field}.apiVersion`, apiVersion, 'must be <group>/<version> or <version>')]
      : []),
    ...missing.map((member) => fieldError.required(`${field}.${member}`, 'must not be empty')),
    ...bannedOwnerErrors(owner, field),
  ];
}

/** Events expire by themselves; owner references would make no sense. */
function bannedOwnerErrors(owner: OwnerReference, field: string): FieldError[] {
  if (owner.apiVersion !== 'v1' || owner.kind !== 'Event') return [];
  return [fieldError.invalid(field, written(owner), '/v1, Kind=Event is disallowed from being an owner')];
}

/** An owner reference as in messages: its fields in declaration order. */
function written({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): JsonObject {
  return {
    apiVersion: apiVersion ?? '',
    kind: kind ?? '',
    name: name ?? '',
    uid: uid ?? '',
    controller,
    blockOwnerDeletion,
  };
}

function finalizerErrors(finalizers: readonly string[] | undefined, field: string): FieldErrors {
  if (!finalizers) return NONE;
  const found = [...ofItems(finalizers, (each) => invalidText(qualifiedNameFaults(each), each, field))];
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    found.push(fieldError.invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return found;
}

function finalizerDomainErrors(finalizers: readonly string[] | undefined, field: string): FieldErrors {
  return ofItems(finalizers, (finalizer, index) =>
    invalidText(finalizerDomainFaults(finalizer), finalizer, `${field}[${index}]`),
  );
}

function newFinalizerErrors(next: readonly string[], previous: readonly string[], path: string): FieldError[] {
  const added = [...new Set(next)].filter((each) => !previous.includes(each)).sort();
  if (added.length === 0) return [];
  const listed = added.map((each) => JSON.stringify(each)).join(', ');
  return [
    fieldError.forbidden(
      `${path}.finalizers`,
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${listed}}`,
    ),
  ];
}

function versionErrors(next: ObjectMeta, previous: ObjectMeta, path: string): FieldError[] {
  const found: FieldError[] = [];
  if (!next.resourceVersion) {
    found.push(fieldError.invalid(`${path}.resourceVersion`, '', 'must be specified for an update'));
  }
  const generation = next.generation ?? 0;
  if (generation < (previous.generation ?? 0)) {
    found.push(fieldError.invalid(`${path}.generation`, generation, 'must not be decremented'));
  }
  return found;
}

/** Immutable fields, in Kubernetes' order; absent and empty strings are equal, an absent time or number is null. */
const IMMUTABLE_FIELDS = [
  { name: 'name', absent: '' },
  { name: 'namespace', absent: '' },
  { name: 'uid', absent: '' },
  { name: 'creationTimestamp', absent: null },
  { name: 'deletionTimestamp', absent: null },
  { name: 'deletionGracePeriodSeconds', absent: null },
] as const;

function immutableErrors(next: ObjectMeta, previous: ObjectMeta, path: string): FieldError[] {
  const found: FieldError[] = [];
  for (const { name, absent } of IMMUTABLE_FIELDS) {
    const value = next[name] ?? absent;
    if (value !== (previous[name] ?? absent)) found.push(fieldError.invalid(`${path}.${name}`, value, IMMUTABLE));
  }
  return found;
}

/** Errors of entries in metadata.managedFields. @param field their path */
export function validateManagedFields(entries: readonly JsonObject[] | undefined, field: string): FieldErrors {
  return ofItems(entries, (entry, index) => {
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    const here = `${field}[${index}]`;
    const found: FieldError[] = [];
    if (operation !== 'Apply' && operation !== 'Update') {
      found.push(fieldError.invalid(`${here}.operation`, operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      found.push(fieldError.invalid(`${here}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
    }
    found.push(...validateFieldManager(String(manager), `${here}.manager`));
    if (byteLength(String(subresource)) > SUBRESOURCE_BYTES) {
      found.push(fieldError.tooLong(`${here}.subresource`, SUBRESOURCE_BYTES));
    }
    return found;
  });
}

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** The name of a field manager: its length, and only printable characters; positions count bytes. @internal */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const found: FieldError[] = [];
  if (byteLength(manager) > MANAGER_BYTES) found.push(fieldError.tooLong(field, MANAGER_BYTES));
  if (!UNPRINTABLE.test(manager)) return found;
  let position = 0;
  for (const character of manager) {
    if (UNPRINTABLE.test(character)) {
      const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      found.push(fieldError.invalid(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(character);
  }
  return found;
}
