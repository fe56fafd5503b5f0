// Validation of PersistentVolume sources, one function each. A volume has exactly one.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { byteLength, labelFaults, subdomainFaults } from '../../../../api/names.ts';
import { faultErrors, validateChoice, validateRange, validateRequired } from '../../../validation/field-rules.ts';
import { endsInQualifiedName } from '../../../validation/iscsi-names.ts';
import { sortedEntries } from '../../../value.ts';
import type {
  AzureFilePersistentVolumeSource,
  CephFSPersistentVolumeSource,
  CSIPersistentVolumeSource,
  FlexPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  PersistentVolumeSpec,
  RBDPersistentVolumeSource,
  StorageOSPersistentVolumeSource,
} from '../persistent-volume/objects.ts';
import type { SecretReference } from '../reference-objects.ts';
import type {
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
} from './objects.ts';

/** The source fields of a PersistentVolume's spec. */
type SourceName = Exclude<
  keyof PersistentVolumeSpec,
  | 'accessModes'
  | 'capacity'
  | 'claimRef'
  | 'mountOptions'
  | 'nodeAffinity'
  | 'persistentVolumeReclaimPolicy'
  | 'storageClassName'
  | 'volumeAttributesClassName'
  | 'volumeMode'
>;

/** Validates one source; `name` is the volume's. */
type SourceRule<S> = (source: S, field: string, name: string) => FieldError[];

type Texts<M extends string> = { readonly [Member in M]?: string };

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const TARGET_BYTES = 64;
const DRIVER_BYTES = 63;
const EUI = /^eui.[A-Za-z0-9]{16}$/;
const NAA = /^naa.[A-Za-z0-9]{32}$/;
const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** A source with required strings, in order. */
function requires<M extends string>(...members: readonly M[]): SourceRule<Texts<M>> {
  return (source, field) => validateTexts(source, field, ...members);
}

function validateTexts<M extends string>(source: Texts<M>, field: string, ...members: readonly M[]): FieldError[] {
  return members.flatMap((name) => validateRequired(source[name] ?? '', `${field}.${name}`));
}

function validatePath(path: string, field: string): FieldError[] {
  if (path === '') return [fieldError.required(field)];
  return path.split('/').includes('..') ? [fieldError.invalid(field, path, "must not contain '..'")] : [];
}

function validateHostPath(source: HostPathVolumeSource, field: string): FieldError[] {
  const [type, path] = [source.type, source.path ?? ''];
  const found = validatePath(path, `${field}.path`);
  if (path === '') return found;
  return type !== undefined ? [...found, ...validateChoice(type, HOST_PATH_TYPES, `${field}.type`)] : found;
}

function validateDisk<M extends string>(idMember: M): SourceRule<Texts<M> & { readonly partition?: number }> {
  return (source, field) => {
    const { partition = 0 } = source;
    const found = validateRequired(source[idMember] ?? '', `${field}.${idMember}`);
    if (partition >= 0 && partition <= 255) return found;
    return [...found, ...validateRange(partition, [1, 255], `${field}.partition`)];
  };
}

function validateGlusterfs(source: GlusterfsPersistentVolumeSource, field: string): FieldError[] {
  const namespace = source.endpointsNamespace;
  const found = validateTexts(source, field, 'endpoints', 'path');
  if (namespace === undefined || namespace === null) return found;
  const at_ = `${field}.endpointsNamespace`;
  if (namespace === '') {
    const why = 'if the endpointnamespace is set, it must be a valid namespace name';
    return [...found, fieldError.invalid(at_, namespace, why)];
  }
  return [...found, ...faultErrors(labelFaults(namespace), namespace, at_)];
}

function validateFlocker(source: FlockerVolumeSource, field: string): FieldError[] {
  const name = source.datasetName ?? '';
  const uuid = source.datasetUUID ?? '';
  const found: FieldError[] = [];
  if (name === '' && uuid === '') {
    found.push(fieldError.required(field, 'one of datasetName and datasetUUID is required'));
  }
  if (name !== '' && uuid !== '') {
    const why = 'datasetName and datasetUUID can not be specified simultaneously';
    found.push(fieldError.invalid(field, 'resource', why));
  }
  if (name.includes('/')) found.push(fieldError.invalid(`${field}.datasetName`, name, "must not contain '/'"));
  return found;
}

function validateNfs(source: NFSVolumeSource, field: string): FieldError[] {
  const path = source.path ?? '';
  const found = validateTexts(source, field, 'server', 'path');
  if (path.startsWith('/')) return found;
  return [...found, fieldError.invalid(`${field}.path`, path, 'must be an absolute path')];
}

function validateMonitors(
  source: CephFSPersistentVolumeSource | RBDPersistentVolumeSource,
  field: string,
): FieldError[] {
  return (source.monitors ?? []).length === 0 ? [fieldError.required(`${field}.monitors`)] : [];
}

function validateQuobyte(source: QuobyteVolumeSource, field: string): FieldError[] {
  const registry = source.registry ?? '';
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  const found: FieldError[] = [];
  if (registry === '') found.push(fieldError.required(`${field}.registry`, why));
  else if (registry.split(',').some((pair) => !/^([^:[\]]+|\[[^\]]+\]):[^:]*$/.test(pair))) {
    found.push(fieldError.invalid(`${field}.registry`, registry, why));
  }
  return [...found, ...validateRequired(source.volume ?? '', `${field}.volume`)];
}

function isIscsiName(name: string): boolean {
  return (
    (name.startsWith('iqn') && endsInQualifiedName(name)) ||
    (name.startsWith('eui') && EUI.test(name)) ||
    (name.startsWith('naa') && NAA.test(name))
  );
}

function validateIscsi(source: ISCSIPersistentVolumeSource, field: string, volumeName: string): FieldError[] {
  const iqn = source.iqn ?? '';
  const portal = source.targetPortal ?? '';
  const initiator = source.initiatorName;
  const found: FieldError[] = [];
  if (initiator !== undefined && byteLength(`${volumeName}:${portal}`) > TARGET_BYTES) {
    const why = `Total length of <volume name>:<iscsi.targetPortal> must be under ${TARGET_BYTES} characters if iscsi.initiatorName is specified.`;
    found.push(fieldError.invalid(`${field}.targetportal`, portal, why));
  }
  found.push(...validateTexts(source, field, 'targetPortal', 'iqn'));
  if (iqn !== '' && !isIscsiName(iqn)) found.push(fieldError.invalid(`${field}.iqn`, iqn, 'must be valid format'));
  found.push(...validateRange(source.lun ?? 0, [0, 255], `${field}.lun`));
  const secret = source.secretRef;
  const authenticates = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  if (authenticates && secret === undefined) found.push(fieldError.required(`${field}.secretRef`));
  if (secret !== undefined && (secret.name ?? '') === '') found.push(fieldError.required(`${field}.secretRef.name`));
  if (initiator !== undefined && !isIscsiName(initiator)) {
    found.push(fieldError.invalid(`${field}.initiatorname`, initiator, 'must be valid format'));
  }
  return found;
}

/** A secret reference of a volume's driver must include the namespace. */
function validateSecret(secret: SecretReference | undefined, field: string): FieldError[] {
  return secret !== undefined ? validateTexts(secret, field, 'name', 'namespace') : [];
}

function validateFibreChannel(source: FCVolumeSource, field: string): FieldError[] {
  const targets = source.targetWWNs ?? [];
  const wwids = source.wwids ?? [];
  const lun = source.lun;
  if (targets.length === 0 && wwids.length === 0) {
    return [fieldError.required(`${field}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both')];
  }
  const found: FieldError[] = [];
  if (targets.length > 0 && wwids.length > 0) {
    const why = 'targetWWNs and wwids can not be specified simultaneously';
    found.push(fieldError.invalid(`${field}.targetWWNs`, targets, why));
  }
  if (targets.length === 0) return found;
  if (lun !== undefined) return [...found, ...validateRange(lun, [0, 255], `${field}.lun`)];
  return [...found, fieldError.required(`${field}.lun`, 'lun is required if targetWWNs is specified')];
}

function validateFlex(source: FlexPersistentVolumeSource, field: string): FieldError[] {
  const found = validateTexts(source, field, 'driver');
  for (const [key] of sortedEntries(source.options)) {
    const domain = `.${key.split('/')[0]?.toLowerCase()}`;
    if (!domain.endsWith('.kubernetes.io') && !domain.endsWith('.k8s.io')) continue;
    const why = 'kubernetes.io and k8s.io namespaces are reserved';
    found.push(fieldError.invalid(`${field}.options[${key}]`, key, why));
  }
  return found;
}

function validateAzureFile(source: AzureFilePersistentVolumeSource, field: string): FieldError[] {
  const found = validateTexts(source, field, 'secretName', 'shareName');
  return source.secretNamespace === '' ? [...found, fieldError.required(`${field}.secretNamespace`)] : found;
}

function validateAzureDisk(source: AzureDiskVolumeSource, field: string): FieldError[] {
  const uri = source.diskURI ?? '';
  const kind = source.kind ?? '';
  const found = validateTexts(source, field, 'diskName', 'diskURI');
  const caching = source.cachingMode;
  if (caching !== undefined) {
    found.push(...validateChoice(caching, ['None', 'ReadOnly', 'ReadWrite'], `${field}.cachingMode`));
  }
  if (kind !== '') found.push(...validateChoice(kind, ['Dedicated', 'Managed', 'Shared'], `${field}.kind`));
  if (kind === 'Managed' && !uri.startsWith('/subscriptions/')) {
    found.push(fieldError.notSupported(`${field}.diskURI`, uri, [MANAGED_DISK]));
  }
  if ((kind === 'Dedicated' || kind === 'Shared') && !uri.startsWith('https://')) {
    found.push(fieldError.notSupported(`${field}.diskURI`, uri, [BLOB_DISK]));
  }
  return found;
}

/** The name of a CSI driver: a domain of at most 63 bytes, in any case. */
export function validateDriverName(name: string, field: string): FieldError[] {
  const found = validateRequired(name, field);
  if (byteLength(name) > DRIVER_BYTES) found.push(fieldError.tooLong(field, DRIVER_BYTES));
  return [...found, ...faultErrors(subdomainFaults(name.toLowerCase()), name, field)];
}

const CSI_SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const;

function validateCsi(source: CSIPersistentVolumeSource, field: string): FieldError[] {
  const found = validateDriverName(source.driver ?? '', `${field}.driver`);
  found.push(...validateRequired(source.volumeHandle ?? '', `${field}.volumeHandle`));
  for (const member of CSI_SECRETS) {
    const secret = source[member];
    if (secret === undefined) continue;
    const [name, namespace] = [secret.name ?? '', secret.namespace ?? ''];
    const path = `${field}.${member}`;
    if (name === '') found.push(fieldError.required(`${path}.name`));
    else found.push(...faultErrors(subdomainFaults(name), name, `${path}.name`));
    if (namespace === '') found.push(fieldError.required(`${path}.namespace`));
    else found.push(...faultErrors(labelFaults(namespace), namespace, `${path}.namespace`));
  }
  return found;
}

function validateStorageOs(source: StorageOSPersistentVolumeSource, field: string): FieldError[] {
  const [name, namespace] = [source.volumeName ?? '', source.volumeNamespace ?? ''];
  return [
    ...(name === ''
      ? [fieldError.required(`${field}.volumeName`)]
      : faultErrors(labelFaults(name), name, `${field}.volumeName`)),
    ...(namespace === '' ? [] : faultErrors(labelFaults(namespace), namespace, `${field}.volumeNamespace`)),
    ...validateSecret(source.secretRef, `${field}.secretRef`),
  ];
}

/** The rule for one kind of source, or for any. */
export type VolumeSourceRules<M extends SourceName = SourceName> = {
  [Name in M]: {
    readonly member: Name;
    /** Its name in paths, if different. */
    readonly field?: string;
    /** The same for further sources of the volume. */
    readonly again?: string;
    readonly validate: SourceRule<NonNullable<PersistentVolumeSpec[Name]>>;
  };
}[M];

/** Validates the source. */
export function validateOneSource<M extends SourceName>(
  spec: Pick<PersistentVolumeSpec, M>,
  { member, validate }: VolumeSourceRules<M>,
  place: { readonly field: string; readonly name: string },
): FieldError[] {
  const source = spec[member];
  return source === undefined ? [] : validate(source, place.field, place.name);
}

/** By field of the volume's spec, in order of validation; errors of a few have paths with other names. */
export const VOLUME_SOURCES: readonly VolumeSourceRules[] = [
  { member: 'hostPath', validate: validateHostPath },
  { member: 'gcePersistentDisk', field: 'persistentDisk', validate: validateDisk('pdName') },
  { member: 'awsElasticBlockStore', validate: validateDisk('volumeID') },
  { member: 'glusterfs', validate: validateGlusterfs },
  { member: 'flocker', validate: validateFlocker },
  { member: 'nfs', validate: validateNfs },
  {
    member: 'rbd',
    validate: (source, field) => [...validateMonitors(source, field), ...validateTexts(source, field, 'image')],
  },
  { member: 'quobyte', validate: validateQuobyte },
  { member: 'cephfs', again: 'cephFS', validate: validateMonitors },
  { member: 'iscsi', validate: validateIscsi },
  {
    member: 'cinder',
    validate: (source, field) => [
      ...validateTexts(source, field, 'volumeID'),
      ...validateSecret(source.secretRef, `${field}.secretRef`),
    ],
  },
  { member: 'fc', validate: validateFibreChannel },
  { member: 'flexVolume', validate: validateFlex },
  { member: 'azureFile', validate: validateAzureFile },
  { member: 'vsphereVolume', validate: requires('volumePath') },
  { member: 'photonPersistentDisk', validate: requires('pdID') },
  { member: 'portworxVolume', validate: requires('volumeID') },
  { member: 'azureDisk', validate: validateAzureDisk },
  { member: 'scaleIO', validate: requires('gateway', 'system', 'volumeName') },
  { member: 'local', validate: (source, field) => validatePath(source.path ?? '', `${field}.path`) },
  { member: 'storageos', validate: validateStorageOs },
  { member: 'csi', validate: validateCsi },
];
