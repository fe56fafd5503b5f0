// Validation of StorageVersions, which servers write about themselves.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { label1035Faults, patternMessage, qualifiedNameFaults, subdomainFaults } from '../../../api/names.ts';
import { remembering } from '../../../base/resumed.ts';
import type { KindRules } from '../../definition.ts';
import { faultErrors, validateItems, validateItemsWithUnique } from '../../validation/field-rules.ts';
import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
  StorageVersionStatus,
} from './v1alpha1-objects.ts';

const LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const LABEL_MESSAGE =
  "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const API_VERSION_MESSAGE = `an apiVersion is ${patternMessage(LABEL_MESSAGE, LABEL, 'my-name', 'abc-123')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`;

/** A group and a resource: `apps.deployments`. */
function storageVersionNameFaults(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...subdomainFaults(name.slice(0, dot)).map((each) => `the group segment ${each}`),
    ...label1035Faults(name.slice(dot + 1)).map((each) => `the resource segment ${each}`),
  ];
}

function validateStatus({ status = {} }: StorageVersion): FieldError[] {
  const servers = status.storageVersions ?? [];
  return [
    ...validateItemsWithUnique(servers, { field: 'status.storageVersions', member: 'apiServerID' }, validateServer),
    ...validateCommon(status),
    ...validateConditions(status.conditions ?? []),
  ];
}

function validateServer(server: ServerStorageVersion, field: string): FieldError[] {
  const { apiServerID = '', encodingVersion = '', decodableVersions = [], servedVersions = [] } = server;
  const found = [
    ...faultErrors(subdomainFaults(apiServerID), apiServerID, `${field}.apiServerID`),
    ...validateApiVersion(encodingVersion, `${field}.encodingVersion`),
    ...decodableVersions.flatMap((each, index) => validateApiVersion(each, `${field}.decodableVersions[${index}]`)),
  ];
  const decodable = new Set(decodableVersions);
  if (!decodable.has(encodingVersion)) {
    const why = `decodableVersions must include encodingVersion ${encodingVersion}`;
    found.push(fieldError.invalid(`${field}.decodableVersions`, server.decodableVersions, why));
  }
  const all = `[${decodableVersions.join(' ')}]`;
  for (const [index, version] of servedVersions.entries()) {
    const here = `${field}.servedVersions[${index}]`;
    found.push(...validateApiVersion(version, here));
    if (decodable.has(version)) continue;
    const why = `individual served version : ${version} must be included in decodableVersions : ${all}`;
    found.push(fieldError.invalid(here, version, why));
  }
  return found;
}

function validateApiVersion(text: string, field: string): FieldError[] {
  const faults = apiVersionFaults(text);
  return faults.length === 0 ? [] : [fieldError.invalid(field, text, faults.join(','))];
}

function apiVersionFaults(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) return [API_VERSION_MESSAGE];
  const group = parts.length === 2 ? partFaults(parts[0] ?? '', 'group', subdomainFaults) : [];
  return [...group, ...partFaults(parts.at(-1) ?? '', 'version', label1035Faults)];
}

function partFaults(text: string, name: string, faultsOf: (text: string) => readonly string[]): string[] {
  return (text === '' ? ['must be non-empty'] : faultsOf(text)).map((each) => `${name} part: ${each}`);
}

/** Servers that all write one version must report it as the common version. */
function validateCommon({ storageVersions = [], commonEncodingVersion: said }: StorageVersionStatus): FieldError[] {
  const versions = new Set(storageVersions.map(({ encodingVersion = '' }) => encodingVersion));
  const [common] = versions.size === 1 ? versions : [];
  if (said === common) return [];
  const refuse = (why: string) => [fieldError.invalid('status.commonEncodingVersion', said, why)];
  if (common === undefined) {
    return refuse(
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
    );
  }
  return refuse(`the ${said === undefined ? '' : 'actual '}common encoding version is ${common}`);
}

/** The path of their errors is the status, as in Kubernetes. */
function validateConditions(conditions: readonly StorageVersionCondition[]): FieldError[] {
  return remembering(
    () => new Map<string, number>(),
    (places) =>
      validateItems(conditions, 'status', (condition, field, index) => {
        const { type = '', status = '', reason = '', message = '' } = condition;
        const found: FieldError[] = [];
        const place = places.get(type);
        if (place !== undefined) {
          const why = `the type of the condition is not unique, it also appears in conditions[${place}]`;
          found.push(fieldError.invalid(`${field}.type`, type, why));
        }
        places.set(type, index);
        found.push(
          ...faultErrors(qualifiedNameFaults(type), type, `${field}.type`),
          ...faultErrors(qualifiedNameFaults(status), status, `${field}.status`),
        );
        if (reason === '') found.push(fieldError.required(`${field}.reason`));
        if (message === '') found.push(fieldError.required(`${field}.message`));
        return found;
      }),
  );
}

export const storageVersionRules: KindRules<StorageVersion> = {
  nameRule: { faults: storageVersionNameFaults },
  checks: { update: [] },
  prepareForCreate: (version) => {
    version.status = {};
  },
  subresources: { status: { validateUpdate: validateStatus } },
};
