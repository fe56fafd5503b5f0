// The rules of a container's environment: variables by value, by reference, and all of a config map or secret at once.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { labelFaults, subdomainFaults } from '../../../../api/names.ts';
import { faultErrors } from '../../../validation/field-rules.ts';
import {
  validateFieldReference,
  validateKeyReference,
  validateNoBacksteps,
  validateResourceReference,
} from '../../../validation/pod-references.ts';
import type { FileKeySelector } from '../reference-objects.ts';
import type { EnvFromSource, EnvVar } from './container-objects.ts';

const NAME_MESSAGE = "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** Fields of a pod that can be told to its containers as variables. */
const FIELDS: readonly string[] = Object.freeze([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

function variableNameFaults(name: string): string[] {
  return /^[ -<>-~]*$/.test(name) ? [] : [NAME_MESSAGE];
}

/** @param readsFiles whether the values of variables may stand in files, of which messages speak then */
export function validateEnv(variables: readonly EnvVar[], readsFiles: boolean, field: string): FieldError[] {
  return variables.flatMap((variable, index) => {
    const here = `${field}[${index}]`;
    const { name = '' } = variable;
    const found =
      name === '' ? [fieldError.required(`${here}.name`)] : faultErrors(variableNameFaults(name), name, `${here}.name`);
    return variable.valueFrom === undefined
      ? found
      : [...found, ...validateValueFrom(variable, readsFiles, `${here}.valueFrom`)];
  });
}

function validateValueFrom({ value = '', valueFrom = {} }: EnvVar, readsFiles: boolean, field: string): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const found: FieldError[] = [];
  if (fieldRef !== undefined) found.push(...validateFieldReference(fieldRef, FIELDS, `${field}.fieldRef`));
  if (resourceFieldRef !== undefined) {
    found.push(...validateResourceReference(resourceFieldRef, false, `${field}.resourceFieldRef`));
  }
  if (configMapKeyRef !== undefined) {
    found.push(...validateKeyReference(configMapKeyRef, `${field}.configMapKeyRef`));
  }
  if (secretKeyRef !== undefined) found.push(...validateKeyReference(secretKeyRef, `${field}.secretKeyRef`));
  if (fileKeyRef !== undefined) found.push(...validateFileKey(fileKeyRef, `${field}.fileKeyRef`));
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (each) => each !== undefined,
  ).length;
  if (sources === 0) found.push(fieldError.invalid(field, '', readsFiles ? NO_SOURCE_OR_FILE : NO_SOURCE));
  else if (value !== '') found.push(fieldError.invalid(field, '', 'may not be specified when `value` is not empty'));
  else if (sources > 1) found.push(fieldError.invalid(field, '', SEVERAL_SOURCES));
  return found;
}

const NO_SOURCE = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
const NO_SOURCE_OR_FILE =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
const SEVERAL_SOURCES = 'may not have more than one field specified at a time';

function validateFileKey({ volumeName = '', path = '', key = '' }: FileKeySelector, field: string): FieldError[] {
  return [
    ...(key === '' ? [fieldError.required(`${field}.key`)] : faultErrors(variableNameFaults(key), key, `${field}.key`)),
    ...(volumeName === ''
      ? [fieldError.required(`${field}.volumeName`)]
      : faultErrors(labelFaults(volumeName), volumeName, `${field}.volumeName`)),
    ...(path === '' ? [fieldError.required(`${field}.path`)] : validateNoBacksteps(path, `${field}.path`)),
  ];
}

export function validateEnvFrom(sources: readonly EnvFromSource[], field: string): FieldError[] {
  return sources.flatMap(({ prefix = '', configMapRef, secretRef }, index) => {
    const here = `${field}[${index}]`;
    const found = faultErrors(variableNameFaults(prefix), prefix, `${here}.prefix`);
    if (configMapRef !== undefined) found.push(...validateSourceName(configMapRef.name, `${here}.configMapRef.name`));
    if (secretRef !== undefined) found.push(...validateSourceName(secretRef.name, `${here}.secretRef.name`));
    // These two stand at the list, not at its item.
    if (configMapRef === undefined && secretRef === undefined) {
      found.push(fieldError.invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef !== undefined && secretRef !== undefined) {
      found.push(fieldError.invalid(field, '', SEVERAL_SOURCES));
    }
    return found;
  });
}

function validateSourceName(name = '', field: string): FieldError[] {
  return name === '' ? [fieldError.required(field)] : faultErrors(subdomainFaults(name), name, field);
}
