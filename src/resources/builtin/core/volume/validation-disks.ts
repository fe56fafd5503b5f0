// Validation of volumes on a disk: local, on a file server, or in a cloud. Most rules are those of PersistentVolumes.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { byteLength, labelFaults, subdomainFaults } from '../../../../api/names.ts';
import { faultErrors, validateRange } from '../../../validation/field-rules.ts';
import { endsInQualifiedName } from '../../../validation/iscsi-names.ts';
import { validateDescendingPath } from '../../../validation/pod-references.ts';
import type { LocalObjectReference } from '../reference-objects.ts';
import type {
  CSIVolumeSource,
  GitRepoVolumeSource,
  ISCSIVolumeSource,
  QuobyteVolumeSource,
  StorageOSVolumeSource,
  Volume,
} from './objects.ts';
import type { SourceName, SourceRule, SourceRules } from './source-rule.ts';
import type { VolumeSourceRules } from './validation-source.ts';
import { VOLUME_SOURCES, validateDriverName } from './validation-source.ts';

type Texts<M extends string> = { readonly [Member in M]?: string };

function missingTexts<M extends string>(source: Texts<M>, field: string, ...members: readonly M[]): FieldError[] {
  return members
    .filter((member) => (source[member] ?? '') === '')
    .map((member) => fieldError.required(`${field}.${member}`));
}

/** A source with only required fields. */
function saying<M extends string>(...members: readonly M[]): SourceRule<Texts<M>> {
  return (source, field) => missingTexts(source, field, ...members);
}

const gitRepo: SourceRule<GitRepoVolumeSource> = (source, field) => [
  ...missingTexts(source, field, 'repository'),
  ...validateDescendingPath(source.directory ?? '', `${field}.directory`),
];

const ISCSI_NAMES: readonly (readonly [prefix: string, isName: (text: string) => boolean])[] = [
  ['iqn', endsInQualifiedName],
  ['eui', (text) => /^eui.[0-9A-Za-z]{16}$/.test(text)],
  ['naa', (text) => /^naa.[0-9A-Za-z]{32}$/.test(text)],
];

function validateIscsiName(name: string, field: string): FieldError[] {
  const form = ISCSI_NAMES.find(([prefix]) => name.startsWith(prefix));
  if (form === undefined) {
    return [fieldError.invalid(field, name, 'must be valid format starting with iqn, eui, or naa')];
  }
  return form[1](name) ? [] : [fieldError.invalid(field, name, 'must be valid format')];
}

const iscsi: SourceRule<ISCSIVolumeSource> = (source, field) => {
  const { chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  const iqn = source.iqn ?? '';
  const found = missingTexts(source, field, 'targetPortal');
  if (iqn === '') found.push(fieldError.required(`${field}.iqn`));
  else found.push(...validateIscsiName(iqn, `${field}.iqn`));
  found.push(...validateRange(source.lun ?? 0, [0, 255], `${field}.lun`));
  if ((chapAuthDiscovery === true || chapAuthSession === true) && secretRef === undefined) {
    found.push(fieldError.required(`${field}.secretRef`));
  }
  if (initiatorName === undefined) return found;
  return [...found, ...validateIscsiName(initiatorName, `${field}.initiatorname`)];
};

/** A secret reference must have a name. */
function validateSecretName(source: { readonly secretRef?: LocalObjectReference }, field: string): FieldError[] {
  if (source.secretRef === undefined || (source.secretRef?.name ?? '') !== '') return [];
  return [fieldError.required(`${field}.secretRef.name`)];
}

const PAIRS = 'must be a host:port pair or multiple pairs separated by commas';

const quobyte: SourceRule<QuobyteVolumeSource> = (source, field) => {
  const registry = source.registry ?? '';
  const found: FieldError[] = [];
  if (registry === '') found.push(fieldError.required(`${field}.registry`, PAIRS));
  else if (byteLength(source.tenant ?? '') >= 65) {
    const why = 'must be a UUID and may not exceed a length of 64 characters';
    found.push(fieldError.required(`${field}.tenant`, why));
  } else {
    for (const pair of registry.split(',')) {
      if (!isHostAndPort(pair)) found.push(fieldError.invalid(`${field}.registry`, registry, PAIRS));
    }
  }
  return [...found, ...missingTexts(source, field, 'volume')];
};

function isHostAndPort(text: string): boolean {
  return /^(\[[^\][]*\]|[^:\][]*):[^:\][]*$/.test(text);
}

const storageos: SourceRule<StorageOSVolumeSource> = (source, field) => {
  const name = source.volumeName ?? '';
  const namespace = source.volumeNamespace ?? '';
  return [
    ...(name === ''
      ? [fieldError.required(`${field}.volumeName`)]
      : faultErrors(labelFaults(name), name, `${field}.volumeName`)),
    ...(namespace === '' ? [] : faultErrors(labelFaults(namespace), namespace, `${field}.volumeNamespace`)),
    ...validateSecretName(source, field),
  ];
};

const csi: SourceRule<CSIVolumeSource> = (source, field) => {
  const found = validateDriverName(source.driver ?? '', `${field}.driver`);
  if (source.nodePublishSecretRef === undefined) return found;
  const name = source.nodePublishSecretRef?.name ?? '';
  if (name === '') return [...found, fieldError.required(`${field}.nodePublishSecretRef.name`)];
  // Kubernetes leaves out the reference in this path.
  return [...found, ...faultErrors(subdomainFaults(name), name, `${field}.name`)];
};

type Persistent = Extract<SourceName, VolumeSourceRules['member']>;

/** As for PersistentVolumes; a few errors have paths with Kubernetes' original names. */
function asPersistent<M extends Persistent>(...members: readonly M[]): SourceRules<M> {
  const rules = members.map((name): [M, SourceRule<NonNullable<Volume[M]>>] => {
    const own = VOLUME_SOURCES.find(({ member }) => member === name) as VolumeSourceRules<M>;
    const { field: renamed = name } = own;
    return [name, (source, field) => own.validate(source, `${field.slice(0, -name.length)}${renamed}`, '')];
  });
  return Object.fromEntries(rules) as SourceRules<M>;
}

/** Rules by source name. */
export const diskSources = {
  ...asPersistent(
    'hostPath',
    'gcePersistentDisk',
    'awsElasticBlockStore',
    'glusterfs',
    'flocker',
    'nfs',
    'rbd',
    'fc',
    'flexVolume',
    'vsphereVolume',
    'photonPersistentDisk',
    'portworxVolume',
    'azureDisk',
  ),
  gitRepo,
  iscsi,
  cinder: (source, field) => [...missingTexts(source, field, 'volumeID'), ...validateSecretName(source, field)],
  cephfs: (source, field) => ((source.monitors ?? []).length === 0 ? [fieldError.required(`${field}.monitors`)] : []),
  quobyte,
  azureFile: saying('secretName', 'shareName'),
  storageos,
  scaleIO: saying('gateway', 'system', 'volumeName'),
  csi,
} satisfies Partial<SourceRules>;
