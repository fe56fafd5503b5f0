// The rules of volumes that lie on a disk somewhere: on the node, on a server, in a cloud. Most are those of persistent
// volumes.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { byteLength, labelFaults, subdomainFaults } from '../../../../api/names.ts';
import type { JsonObject } from '../../../../api/object.ts';
import { faultErrors, validateRange } from '../../../validation/field-rules.ts';
import { endsInQualifiedName } from '../../../validation/iscsi-names.ts';
import { validateDescendingPath } from '../../../validation/pod-references.ts';
import { isObject, listAt, numberAt, textAt } from '../../../value.ts';
import type { SourceRule } from './source-rule.ts';
import { VOLUME_SOURCES, validateDriverName } from './validation-source.ts';

function missingTexts(source: JsonObject, field: string, ...members: readonly string[]): FieldError[] {
  return members
    .filter((member) => textAt(source, member) === '')
    .map((member) => fieldError.required(`${field}.${member}`));
}

/** A source that only must say something in some of its members. */
function saying(...members: string[]): SourceRule {
  return (source, field) => missingTexts(source, field, ...members);
}

const gitRepo: SourceRule = (source, field) => [
  ...missingTexts(source, field, 'repository'),
  ...validateDescendingPath(textAt(source, 'directory'), `${field}.directory`),
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

const iscsi: SourceRule = (source, field) => {
  const { chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  const iqn = textAt(source, 'iqn');
  const found = missingTexts(source, field, 'targetPortal');
  if (iqn === '') found.push(fieldError.required(`${field}.iqn`));
  else found.push(...validateIscsiName(iqn, `${field}.iqn`));
  found.push(...validateRange(numberAt(source, 'lun'), [0, 255], `${field}.lun`));
  if ((chapAuthDiscovery === true || chapAuthSession === true) && !isObject(secretRef)) {
    found.push(fieldError.required(`${field}.secretRef`));
  }
  if (typeof initiatorName !== 'string') return found;
  return [...found, ...validateIscsiName(initiatorName, `${field}.initiatorname`)];
};

/** A reference to a secret that is there must name it. */
function validateSecretName(source: JsonObject, field: string): FieldError[] {
  if (!isObject(source['secretRef']) || textAt(source, 'secretRef', 'name') !== '') return [];
  return [fieldError.required(`${field}.secretRef.name`)];
}

const PAIRS = 'must be a host:port pair or multiple pairs separated by commas';

const quobyte: SourceRule = (source, field) => {
  const registry = textAt(source, 'registry');
  const found: FieldError[] = [];
  if (registry === '') found.push(fieldError.required(`${field}.registry`, PAIRS));
  else if (byteLength(textAt(source, 'tenant')) >= 65) {
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

const storageos: SourceRule = (source, field) => {
  const name = textAt(source, 'volumeName');
  const namespace = textAt(source, 'volumeNamespace');
  return [
    ...(name === ''
      ? [fieldError.required(`${field}.volumeName`)]
      : faultErrors(labelFaults(name), name, `${field}.volumeName`)),
    ...(namespace === '' ? [] : faultErrors(labelFaults(namespace), namespace, `${field}.volumeNamespace`)),
    ...validateSecretName(source, field),
  ];
};

const csi: SourceRule = (source, field) => {
  const found = validateDriverName(textAt(source, 'driver'), `${field}.driver`);
  if (!isObject(source['nodePublishSecretRef'])) return found;
  const name = textAt(source, 'nodePublishSecretRef', 'name');
  const here = `${field}.nodePublishSecretRef.name`;
  if (name === '') return [...found, fieldError.required(here)];
  return [...found, ...faultErrors(subdomainFaults(name), name, here)];
};

/** As for persistent volumes; a few stand below the names that they had in Kubernetes' beginnings. */
function asPersistent(): Record<string, SourceRule> {
  return Object.fromEntries(
    VOLUME_SOURCES.map(({ member, field: renamed = member, validate }) => [
      member,
      (source: JsonObject, field: string) => validate(source, `${field.slice(0, -member.length)}${renamed}`, ''),
    ]),
  );
}

/** Sources that lie on a disk, by name. */
export const diskSources: Readonly<Record<string, SourceRule>> = {
  ...asPersistent(),
  gitRepo,
  iscsi,
  cinder: (source, field) => [...missingTexts(source, field, 'volumeID'), ...validateSecretName(source, field)],
  cephfs: (source, field) =>
    listAt(source, 'monitors').length === 0 ? [fieldError.required(`${field}.monitors`)] : [],
  quobyte,
  azureFile: saying('secretName', 'shareName'),
  storageos,
  scaleIO: saying('gateway', 'system', 'volumeName'),
  csi,
};
