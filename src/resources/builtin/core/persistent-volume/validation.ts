// Validation of PersistentVolumes, and of inline specs in VolumeAttachments, which have fewer fields.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { subdomainFaults } from '../../../../api/names.ts';
import { parseQuantity, quantityValue } from '../../../../api/quantity.ts';
import { lookup } from '../../../../base/lookup.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../../definition.ts';
import { faultErrors, validateChoice, validateImmutable } from '../../../validation/field-rules.ts';
import { inGoForm, VOLUME_NODE_AFFINITY } from '../../../validation/go-form.ts';
import { isPositiveAmount } from '../../../validation/quantities.ts';
import { validateRequiredNodeSelector } from '../../../validation/selectors.ts';
import { differenceBehind, wholeObject } from '../../../validation/whole-objects.ts';
import { sortedEntries } from '../../../value.ts';
import { nodeTermWarnings } from '../pod/node-term-warnings.ts';
import { VOLUME_SOURCES, validateOneSource } from '../volume/validation-source.ts';
import type { PersistentVolume, PersistentVolumeSpec, VolumeNodeAffinity } from './objects.ts';
import { PersistentVolumeSource } from './types.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const NOT_INLINE = 'may not be specified in the context of inline volumes';

export const STORAGE_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** `ReadWriteOncePod` cannot be combined with others. */
export function validateAccessModes(modes: readonly string[], field: string): FieldError[] {
  const found = modes.flatMap((mode) => validateChoice(String(mode), ACCESS_MODES, field));
  const others = modes.filter((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(String(mode)));
  if (!modes.includes('ReadWriteOncePod') || others.length === 0) return found;
  return [...found, fieldError.forbidden(field, 'may not use ReadWriteOncePod with other access modes')];
}

/** A quantity that is not a size. */
export function validateSize(amount: string, field: string): FieldError[] {
  const size = quantityValue(parseQuantity(amount));
  return size < 0n ? [fieldError.invalid(field, size, 'must be a valid resource quantity')] : [];
}

export function validatePositiveSize(amount: string, field: string): FieldError[] {
  return isPositiveAmount(amount) ? [] : [fieldError.invalid(field, amount, 'must be greater than zero')];
}

export interface VolumeSpecRules {
  readonly field: string;
  /** The volume's own name; '' for an inline spec. */
  readonly name: string;
  readonly inline: boolean;
  /** The release whose rules apply. */
  readonly context: Pick<StrategyContext, 'minor'>;
}

/** The spec of a volume or an inline spec. */
export function validateVolumeSpec(spec: PersistentVolumeSpec | undefined, rules: VolumeSpecRules): FieldError[] {
  const { field, inline } = rules;
  const modes = spec?.accessModes ?? [];
  return [
    ...(inline ? validateInline(spec, field) : []),
    ...(modes.length === 0 ? [fieldError.required(`${field}.accessModes`)] : []),
    ...validateAccessModes(modes, `${field}.accessModes`),
    ...(inline ? [] : validateCapacity(spec, `${field}.capacity`)),
    ...validateReclaimPolicy(spec, rules),
    ...validateAffinity(spec?.nodeAffinity, { ...rules, field: `${field}.nodeAffinity` }),
    ...validateSource(spec, rules),
    ...(inline ? validateInlineClasses(spec, field) : validateClasses(spec, field)),
  ];
}

function validateInline(spec: PersistentVolumeSpec | undefined, field: string): FieldError[] {
  const found: FieldError[] = [];
  if (spec?.claimRef !== undefined) found.push(fieldError.forbidden(`${field}.claimRef`, NOT_INLINE));
  if (sortedEntries(spec?.capacity).length > 0) found.push(fieldError.forbidden(`${field}.capacity`, NOT_INLINE));
  if (spec?.csi !== undefined) return found;
  return [...found, fieldError.required(`${field}.csi`, 'has to be specified in the context of inline volumes')];
}

function validateInlineClasses(spec: PersistentVolumeSpec | undefined, field: string): FieldError[] {
  const mode = spec?.volumeMode;
  const found: FieldError[] = [];
  if ((spec?.storageClassName ?? '') !== '') {
    found.push(fieldError.forbidden(`${field}.storageClassName`, NOT_INLINE));
  }
  if (mode === undefined || mode === 'Filesystem') return found;
  const why = 'may not specify volumeMode other than Filesystem in the context of inline volumes';
  return [...found, fieldError.forbidden(`${field}.volumeMode`, why)];
}

function validateCapacity(spec: PersistentVolumeSpec | undefined, field: string): FieldError[] {
  const capacity = spec?.capacity ?? null;
  const entries = sortedEntries(spec?.capacity);
  const found = entries.length === 0 ? [fieldError.required(field)] : [];
  if (entries.length !== 1 || entries[0]?.[0] !== 'storage') {
    found.push(fieldError.notSupported(field, capacity, ['storage']));
  }
  for (const [name, amount] of entries) {
    const path = `${field}[${name}]`;
    found.push(...validateSize(amount, path), ...validatePositiveSize(amount, path));
  }
  return found;
}

function validateReclaimPolicy(
  spec: PersistentVolumeSpec | undefined,
  { field, inline }: VolumeSpecRules,
): FieldError[] {
  const policy = spec?.persistentVolumeReclaimPolicy ?? '';
  const path = `${field}.persistentVolumeReclaimPolicy`;
  if (policy === '') return [];
  if (!inline) return validateChoice(policy, ['Delete', 'Recycle', 'Retain'], path);
  return policy === 'Retain' ? [] : [fieldError.forbidden(path, 'may only be Retain in the context of inline volumes')];
}

function validateAffinity(
  affinity: VolumeNodeAffinity | undefined,
  { field, inline, context }: VolumeSpecRules,
): FieldError[] {
  if (affinity === undefined) return [];
  if (inline) return [fieldError.forbidden(field, NOT_INLINE)];
  const required = affinity.required;
  if (required !== undefined) return validateRequiredNodeSelector(required, `${field}.required`, context);
  return [fieldError.required(`${field}.required`, 'must specify required node constraints')];
}

function validateSource(
  spec: PersistentVolumeSpec | undefined,
  { field, name, inline }: VolumeSpecRules,
): FieldError[] {
  const found: FieldError[] = [];
  const hasAffinity = spec?.nodeAffinity !== undefined && !inline;
  let sources = 0;
  for (const rules of VOLUME_SOURCES) {
    const { member, field: written = member, again = member } = rules;
    if (spec?.[member] === undefined) continue;
    // Kubernetes validates a flexVolume even if there are other sources.
    if (sources++ > 0 && member !== 'flexVolume') {
      found.push(fieldError.forbidden(`${field}.${again}`, 'may not specify more than 1 volume type'));
      continue;
    }
    found.push(...validateOneSource(spec, rules, { field: `${field}.${written}`, name }));
    if (member !== 'local' || hasAffinity) continue;
    found.push(fieldError.required(`${field}.nodeAffinity`, 'Local volume requires node affinity'));
  }
  if (sources === 0) found.push(fieldError.required(field, 'must specify a volume type'));
  const root = /^\/(\.?\/)*\.?$/.test(spec?.hostPath?.path ?? '');
  if (root && (spec?.persistentVolumeReclaimPolicy ?? '') === 'Recycle') {
    const why = "may not be 'recycle' for a hostPath mount of '/'";
    found.push(fieldError.forbidden(`${field}.persistentVolumeReclaimPolicy`, why));
  }
  return found;
}

function validateClasses(spec: PersistentVolumeSpec | undefined, field: string): FieldError[] {
  const storageClass = spec?.storageClassName ?? '';
  const mode = spec?.volumeMode;
  const attributesClass = spec?.volumeAttributesClassName;
  const found =
    storageClass === '' ? [] : faultErrors(subdomainFaults(storageClass), storageClass, `${field}.storageClassName`);
  if (mode !== undefined) found.push(...validateChoice(mode, ['Block', 'Filesystem'], `${field}.volumeMode`));
  if (attributesClass === undefined) return found;
  const path = `${field}.volumeAttributesClassName`;
  if (attributesClass === '') found.push(fieldError.required(path, 'an empty string is disallowed'));
  else found.push(...faultErrors(subdomainFaults(attributesClass), attributesClass, path));
  if (spec?.csi !== undefined) return found;
  return [...found, fieldError.required(`${field}.csi`, 'has to be specified when using volumeAttributesClassName')];
}

function validateVolumeUpdate(
  next: PersistentVolume,
  previous: PersistentVolume,
  { gateEnabled, minor }: StrategyContext,
): FieldError[] {
  const found: FieldError[] = [];
  const [source, before] = [sourcesOf(next), sourcesOf(previous)];
  // A secret for expansion may be added later.
  if (source.csi !== undefined && before.csi !== undefined && before.csi.controllerExpandSecretRef === undefined) {
    const { controllerExpandSecretRef: _later, ...csi } = source.csi;
    source.csi = csi;
  }
  if (!equalJson(source, before)) {
    const why = 'spec.persistentvolumesource is immutable after creation';
    const whole = { type: PersistentVolumeSource, minor };
    const change = differenceBehind(whole, wholeObject(whole, before), wholeObject(whole, source));
    found.push(fieldError.forbidden('spec.persistentvolumesource', `${why}${change}`));
  }
  found.push(...validateImmutable(next.spec?.volumeMode, previous.spec?.volumeMode, 'volumeMode'));
  const affinity = next.spec?.nodeAffinity ?? null;
  const affinityBefore = gateEnabled('MutablePVNodeAffinity') ? undefined : previous.spec?.nodeAffinity;
  if (affinityBefore !== undefined && !equalJson(affinity, withStableLabels(affinityBefore, affinity))) {
    const why = 'field is immutable, except for updating from beta label to GA';
    found.push(fieldError.invalid('nodeAffinity', inGoForm(affinity, VOLUME_NODE_AFFINITY), why));
  }
  const [attributes, attributesBefore] = [next, previous].map((each) => each.spec?.volumeAttributesClassName);
  if (attributes === undefined && attributesBefore !== undefined) {
    const why = 'update from non-nil value to nil is forbidden';
    found.push(fieldError.forbidden('spec.volumeAttributesClassName', why));
  }
  return found;
}

/** The stable names of the node labels that were renamed when they became stable. */
const STABLE_LABELS: Readonly<Record<string, string>> = lookup({
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
});

/** The stored affinity, with the stable name of each label where the update replaces its beta name by it. */
function withStableLabels(affinity: VolumeNodeAffinity, next: VolumeNodeAffinity | null): VolumeNodeAffinity {
  const { required } = affinity;
  if (required === undefined) return affinity;
  const nodeSelectorTerms = required.nodeSelectorTerms?.map((term, index) => {
    const nextTerm = next?.required?.nodeSelectorTerms?.[index];
    const renamed = { ...term };
    for (const member of ['matchExpressions', 'matchFields'] as const) {
      const requirements = term[member]?.map((requirement, at) => {
        const key = nextTerm?.[member]?.[at]?.key;
        // As in Kubernetes, labels without a stable name may be replaced by an empty key.
        const isRenamed = key !== undefined && (STABLE_LABELS[requirement.key ?? ''] ?? '') === key;
        return isRenamed ? { ...requirement, key } : requirement;
      });
      if (requirements !== undefined) Object.assign(renamed, { [member]: requirements });
    }
    return renamed;
  });
  return { required: { ...required, ...(nodeSelectorTerms && { nodeSelectorTerms }) } };
}

type Sources = { -readonly [Name in (typeof VOLUME_SOURCES)[number]['member']]?: PersistentVolumeSpec[Name] };

function sourcesOf({ spec = {} }: PersistentVolume): Sources {
  const found: Sources = {};
  for (const { member } of VOLUME_SOURCES) Object.assign(found, { [member]: spec[member] });
  return found;
}

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';

/** Sources that no longer have an effect, and since when. */
const OBSOLETE = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

/** Warnings for the deprecated storage class annotation. */
export function storageClassWarnings({ metadata }: Pick<PersistentVolume, 'metadata'>): string[] {
  if (metadata.annotations?.[STORAGE_CLASS_ANNOTATION] === undefined) return [];
  return [
    `metadata.annotations[${STORAGE_CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`,
  ];
}

function volumeWarnings(volume: PersistentVolume, minor: number | undefined): string[] {
  const found = storageClassWarnings(volume);
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  for (const [index, term] of terms.entries()) {
    const field = `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`;
    found.push(...nodeTermWarnings(term, { values: false, minor }, field));
  }
  if (volume.metadata.annotations?.[MOUNT_OPTIONS] !== undefined) {
    found.push(`metadata.annotations[${MOUNT_OPTIONS}]: deprecated since v1.31; use "mountOptions" attribute instead`);
  }
  if ((volume.spec?.persistentVolumeReclaimPolicy ?? '') === 'Recycle' && isSince({ minor }, 30)) {
    found.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    );
  }
  for (const [member, since] of OBSOLETE) {
    if (volume.spec?.[member] === undefined) continue;
    found.push(`spec.${member === 'storageos' ? 'storageOS' : member}: ${since}`);
  }
  return found;
}

/** The volume sources that support mount options. */
const WITH_MOUNT_OPTIONS = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

/** The former annotation for mount options is checked against the volume's type; the field is not. */
function validateMountOptions({ metadata, spec }: PersistentVolume): FieldError[] {
  if (metadata.annotations?.[MOUNT_OPTIONS] === undefined) return [];
  if (WITH_MOUNT_OPTIONS.some((member) => spec?.[member] !== undefined)) return [];
  const why = 'may not specify mount options for this volume type';
  return [fieldError.forbidden(`metadata.annotations.${MOUNT_OPTIONS}`, why)];
}

function validateVolume({ metadata, spec }: PersistentVolume, context: StrategyContext): FieldError[] {
  return validateVolumeSpec(spec, { field: 'spec', name: metadata.name ?? '', inline: false, context });
}

export const persistentVolumeRules: KindRules<PersistentVolume> = {
  checks: { update: ['metadata', 'content', 'metadata', 'content', 'change'] },
  validate: validateVolume,
  validateCreate: validateMountOptions,
  validateUpdate: (next, previous, rules) => [
    ...validateMountOptions(next),
    ...validateVolumeUpdate(next, previous, rules),
  ],
  warnings: (volume, _previous, { minor }) => volumeWarnings(volume, minor),
};
