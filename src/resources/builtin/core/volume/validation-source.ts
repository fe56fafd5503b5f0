// The rules of the places that a persistent volume's data can be in, one function each. A volume has exactly one.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { byteLength, labelFaults, subdomainFaults } from '../../../../api/names.ts';
import type { Json } from '../../../../api/object.ts';
import { faultErrors, validateChoice, validateRange, validateRequired } from '../../../validation/field-rules.ts';
import { endsInQualifiedName } from '../../../validation/iscsi-names.ts';
import { at, entriesAt, isObject, listAt, numberAt, textAt } from '../../../value.ts';

/** Checks one source; `name` is the volume's. */
export type SourceRule = (source: Json, field: string, name: string) => FieldError[];

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

/** Texts that must be there, in order. */
function requires(...members: string[]): SourceRule {
  return (source, field) => members.flatMap((name) => validateRequired(textAt(source, name), `${field}.${name}`));
}

function validatePath(path: string, field: string): FieldError[] {
  if (path === '') return [fieldError.required(field)];
  return path.split('/').includes('..') ? [fieldError.invalid(field, path, "must not contain '..'")] : [];
}

function validateHostPath(source: Json, field: string): FieldError[] {
  const [type, path] = [at(source, 'type'), textAt(source, 'path')];
  const found = validatePath(path, `${field}.path`);
  if (path === '') return found;
  return typeof type === 'string' ? [...found, ...validateChoice(type, HOST_PATH_TYPES, `${field}.type`)] : found;
}

function validateDisk(idMember: string): SourceRule {
  return (source, field) => {
    const partition = numberAt(source, 'partition');
    const found = validateRequired(textAt(source, idMember), `${field}.${idMember}`);
    if (partition >= 0 && partition <= 255) return found;
    return [...found, ...validateRange(partition, [1, 255], `${field}.partition`)];
  };
}

function validateGlusterfs(source: Json, field: string): FieldError[] {
  const namespace = at(source, 'endpointsNamespace');
  const found = requires('endpoints', 'path')(source, field, '');
  if (typeof namespace !== 'string') return found;
  const at_ = `${field}.endpointsNamespace`;
  if (namespace === '') {
    const why = 'if the endpointnamespace is set, it must be a valid namespace name';
    return [...found, fieldError.invalid(at_, namespace, why)];
  }
  return [...found, ...faultErrors(labelFaults(namespace), namespace, at_)];
}

function validateFlocker(source: Json, field: string): FieldError[] {
  const name = textAt(source, 'datasetName');
  const uuid = textAt(source, 'datasetUUID');
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

function validateNfs(source: Json, field: string): FieldError[] {
  const path = textAt(source, 'path');
  const found = requires('server', 'path')(source, field, '');
  if (path.startsWith('/')) return found;
  return [...found, fieldError.invalid(`${field}.path`, path, 'must be an absolute path')];
}

function validateMonitors(source: Json, field: string): FieldError[] {
  return listAt(source, 'monitors').length === 0 ? [fieldError.required(`${field}.monitors`)] : [];
}

function validateQuobyte(source: Json, field: string): FieldError[] {
  const registry = textAt(source, 'registry');
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  const found: FieldError[] = [];
  if (registry === '') found.push(fieldError.required(`${field}.registry`, why));
  else if (registry.split(',').some((pair) => !/^([^:[\]]+|\[[^\]]+\]):[^:]*$/.test(pair))) {
    found.push(fieldError.invalid(`${field}.registry`, registry, why));
  }
  return [...found, ...validateRequired(textAt(source, 'volume'), `${field}.volume`)];
}

function isIscsiName(name: string): boolean {
  return (
    (name.startsWith('iqn') && endsInQualifiedName(name)) ||
    (name.startsWith('eui') && EUI.test(name)) ||
    (name.startsWith('naa') && NAA.test(name))
  );
}

function validateIscsi(source: Json, field: string, volumeName: string): FieldError[] {
  const iqn = textAt(source, 'iqn');
  const portal = textAt(source, 'targetPortal');
  const initiator = at(source, 'initiatorName');
  const found: FieldError[] = [];
  if (typeof initiator === 'string' && byteLength(`${volumeName}:${portal}`) > TARGET_BYTES) {
    const why = `Total length of <volume name>:<iscsi.targetPortal> must be under ${TARGET_BYTES} characters if iscsi.initiatorName is specified.`;
    found.push(fieldError.invalid(`${field}.targetportal`, portal, why));
  }
  found.push(...requires('targetPortal', 'iqn')(source, field, ''));
  if (iqn !== '' && !isIscsiName(iqn)) found.push(fieldError.invalid(`${field}.iqn`, iqn, 'must be valid format'));
  found.push(...validateRange(numberAt(source, 'lun'), [0, 255], `${field}.lun`));
  const secret = at(source, 'secretRef');
  const authenticates = at(source, 'chapAuthDiscovery') === true || at(source, 'chapAuthSession') === true;
  if (authenticates && !isObject(secret)) found.push(fieldError.required(`${field}.secretRef`));
  if (isObject(secret) && textAt(secret, 'name') === '') found.push(fieldError.required(`${field}.secretRef.name`));
  if (typeof initiator === 'string' && !isIscsiName(initiator)) {
    found.push(fieldError.invalid(`${field}.initiatorname`, initiator, 'must be valid format'));
  }
  return found;
}

/** A volume that its driver reaches with a secret says which one, namespace and all. */
function validateSecret(source: Json, member: string, field: string): FieldError[] {
  const secret = at(source, member);
  return isObject(secret) ? requires('name', 'namespace')(secret, `${field}.${member}`, '') : [];
}

function validateFibreChannel(source: Json, field: string): FieldError[] {
  const targets = listAt(source, 'targetWWNs');
  const wwids = listAt(source, 'wwids');
  const lun = at(source, 'lun');
  if (targets.length === 0 && wwids.length === 0) {
    return [fieldError.required(`${field}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both')];
  }
  if (targets.length > 0 && wwids.length > 0) {
    const why = 'targetWWNs and wwids can not be specified simultaneously';
    return [fieldError.invalid(`${field}.targetWWNs`, targets, why)];
  }
  if (targets.length === 0) return [];
  if (typeof lun !== 'number')
    return [fieldError.required(`${field}.lun`, 'lun is required if targetWWNs is specified')];
  return validateRange(lun, [0, 255], `${field}.lun`);
}

function validateFlex(source: Json, field: string): FieldError[] {
  const found = requires('driver')(source, field, '');
  for (const [key] of entriesAt(source, 'options')) {
    const domain = `.${key.split('/')[0]?.toLowerCase()}`;
    if (!domain.endsWith('.kubernetes.io') && !domain.endsWith('.k8s.io')) continue;
    const why = 'kubernetes.io and k8s.io namespaces are reserved';
    found.push(fieldError.invalid(`${field}.options[${key}]`, key, why));
  }
  return found;
}

function validateAzureFile(source: Json, field: string): FieldError[] {
  const found = requires('secretName', 'shareName')(source, field, '');
  return at(source, 'secretNamespace') === '' ? [...found, fieldError.required(`${field}.secretNamespace`)] : found;
}

function validateAzureDisk(source: Json, field: string): FieldError[] {
  const uri = textAt(source, 'diskURI');
  const kind = textAt(source, 'kind');
  const found = requires('diskName', 'diskURI')(source, field, '');
  const caching = at(source, 'cachingMode');
  if (typeof caching === 'string') {
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
];

function validateCsi(source: Json, field: string): FieldError[] {
  const found = validateDriverName(textAt(source, 'driver'), `${field}.driver`);
  found.push(...validateRequired(textAt(source, 'volumeHandle'), `${field}.volumeHandle`));
  for (const member of CSI_SECRETS) {
    const secret = at(source, member);
    if (!isObject(secret)) continue;
    const [name, namespace] = [textAt(secret, 'name'), textAt(secret, 'namespace')];
    const path = `${field}.${member}`;
    if (name === '') found.push(fieldError.required(`${path}.name`));
    else found.push(...faultErrors(subdomainFaults(name), name, `${path}.name`));
    if (namespace === '') found.push(fieldError.required(`${path}.namespace`));
    else found.push(...faultErrors(labelFaults(namespace), namespace, `${path}.namespace`));
  }
  return found;
}

function validateStorageOs(source: Json, field: string): FieldError[] {
  const [name, namespace] = [textAt(source, 'volumeName'), textAt(source, 'volumeNamespace')];
  return [
    ...(name === ''
      ? [fieldError.required(`${field}.volumeName`)]
      : faultErrors(labelFaults(name), name, `${field}.volumeName`)),
    ...(namespace === '' ? [] : faultErrors(labelFaults(namespace), namespace, `${field}.volumeNamespace`)),
    ...validateSecret(source, 'secretRef', field),
  ];
}

export interface VolumeSourceRules {
  readonly member: string;
  /** What paths call it, where that is not its name. */
  readonly field?: string;
  /** The same of one that is not the first source of its volume. */
  readonly again?: string;
  readonly validate: SourceRule;
}

/** By member of the volume's spec, in the order in which they are checked; errors of a few stand under other names. */
export const VOLUME_SOURCES: readonly VolumeSourceRules[] = [
  { member: 'hostPath', validate: validateHostPath },
  { member: 'gcePersistentDisk', field: 'persistentDisk', validate: validateDisk('pdName') },
  { member: 'awsElasticBlockStore', validate: validateDisk('volumeID') },
  { member: 'glusterfs', validate: validateGlusterfs },
  { member: 'flocker', validate: validateFlocker },
  { member: 'nfs', validate: validateNfs },
  {
    member: 'rbd',
    validate: (source, field) => [...validateMonitors(source, field), ...requires('image')(source, field, '')],
  },
  { member: 'quobyte', validate: validateQuobyte },
  { member: 'cephfs', again: 'cephFS', validate: validateMonitors },
  { member: 'iscsi', validate: validateIscsi },
  {
    member: 'cinder',
    validate: (source, field) => [
      ...requires('volumeID')(source, field, ''),
      ...validateSecret(source, 'secretRef', field),
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
  { member: 'local', validate: (source, field) => validatePath(textAt(source, 'path'), `${field}.path`) },
  { member: 'storageos', validate: validateStorageOs },
  { member: 'csi', validate: validateCsi },
];
