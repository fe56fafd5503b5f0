// Validation of environment variables: by value, by reference, and from whole ConfigMaps or Secrets.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { labelFaults, patternMessage, subdomainFaults } from '../../../../api/names.ts';
import { overItems } from '../../../../base/resumed.ts';
import { faultErrors } from '../../../validation/field-rules.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import {
  upwardFaults,
  validateFieldReference,
  validateKeyReference,
  validateNoBacksteps,
  validateResourceReference,
} from '../../../validation/pod-references.ts';
import type { FileKeySelector } from '../reference-objects.ts';
import type { EnvFromSource, EnvVar } from './container-objects.ts';

const NAME_MESSAGE = "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** Pod fields that can be passed as variables. */
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

const STRICT_NAME = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const IS_STRICT_NAME = new RegExp(`^${STRICT_NAME}$`);
const STRICT_NAME_MESSAGE = patternMessage(
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  STRICT_NAME,
  'my.env-name',
  'MY_ENV.NAME',
  'MyEnvName1',
);

/** Feature gates for variables. */
export interface EnvironmentRules {
  /** Whether values may come from files, which messages then mention. */
  readonly readsFiles: boolean;
  /** Whether names must be valid in shells. */
  readonly strictNames: boolean;
}

/** A name that only relaxed rules allow may be kept. */
function validateVariableName(name: string, isStrict: boolean, field: string): FieldError[] {
  const faults = faultErrors(variableNameFaults(name, isStrict), name, field);
  if (faults.length === 0 || !isStrict || variableNameFaults(name).length > 0) return [...faults];
  return keepable(`variables:${name}`, faults);
}

function variableNameFaults(name: string, isStrict = false): string[] {
  if (!isStrict) return /^[ -<>-~]*$/.test(name) ? [] : [NAME_MESSAGE];
  return [...(IS_STRICT_NAME.test(name) ? [] : [STRICT_NAME_MESSAGE]), ...upwardFaults(name)];
}

export function validateEnv(variables: readonly EnvVar[], rules: EnvironmentRules, field: string): FieldError[] {
  const { readsFiles, strictNames } = rules;
  return overItems(variables, (variable, index) => {
    const here = `${field}[${index}]`;
    const { name = '' } = variable;
    const found =
      name === '' ? [fieldError.required(`${here}.name`)] : validateVariableName(name, strictNames, `${here}.name`);
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

export function validateEnvFrom(
  sources: readonly EnvFromSource[],
  { strictNames }: EnvironmentRules,
  field: string,
): FieldError[] {
  return sources.flatMap(({ prefix = '', configMapRef, secretRef }, index) => {
    const here = `${field}[${index}]`;
    const found = validateVariableName(prefix, strictNames && prefix !== '', `${here}.prefix`);
    if (configMapRef !== undefined) found.push(...validateSourceName(configMapRef.name, `${here}.configMapRef.name`));
    if (secretRef !== undefined) found.push(...validateSourceName(secretRef.name, `${here}.secretRef.name`));
    // These two errors are reported for the list, not for its item.
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
