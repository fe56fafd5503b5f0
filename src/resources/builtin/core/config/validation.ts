// Validation of ConfigMaps and Secrets: keys, size, required keys of Secret types, and immutability.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { jsonWord } from '../../../../api/go-text.ts';
import { isObject } from '../../../../api/is-object.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { JsonError, parseJson } from '../../../../api/json-reader.ts';
import { byteLength } from '../../../../api/names.ts';
import type { ApiObject } from '../../../../api/object.ts';
import { ownMember } from '../../../../api/own-member.ts';
import { lookup } from '../../../../base/lookup.ts';
import { overItems, part } from '../../../../base/resumed.ts';
import type { KindRules } from '../../../definition.ts';
import { decodedBytes, decodedText } from '../../../validation/base64.ts';
import { keyPairWarnings } from '../../../validation/certificates.ts';
import { faultErrors, validateImmutableText } from '../../../validation/field-rules.ts';
import { dataKeyFaults } from '../../../validation/pod-references.ts';
import { sortedEntries, textAt } from '../../../value.ts';
import type { ConfigMap, Secret } from './objects.ts';

/** All values of a ConfigMap or Secret together. */
const DATA_BYTES = 1024 * 1024;
function validateConfigMap(config: ConfigMap): FieldError[] {
  const binary = config.binaryData;
  const texts = part(() => sortedEntries(config.data));
  const found = overItems(texts, ([key]) => {
    const faults = faultErrors(dataKeyFaults(key), key, `data[${key}]`);
    if (binary === undefined || !Object.hasOwn(binary, key)) return faults;
    return [...faults, fieldError.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')];
  });
  const values = part(() => sortedEntries(binary));
  const ofKeys = overItems(values, ([key]) => faultErrors(dataKeyFaults(key), key, `binaryData[${key}]`));
  for (const each of ofKeys) found.push(each);
  let bytes = 0;
  for (const [, value] of texts) bytes += byteLength(value as string);
  for (const [, value] of values) bytes += decodedBytes(value as string);
  // The whole object is too long, which Kubernetes reports for this field.
  if (bytes > DATA_BYTES) found.push(fieldError.tooLong('[]', DATA_BYTES));
  return found;
}

/** Immutable fields of an object marked as immutable. */
function validateStaysImmutable(next: ApiObject, previous: ApiObject, members: readonly string[]): FieldError[] {
  if (previous['immutable'] !== true) return [];
  const found: FieldError[] = [];
  const forbid = (field: string) =>
    found.push(fieldError.forbidden(field, 'field is immutable when `immutable` is set'));
  if (next['immutable'] !== true) forbid('immutable');
  for (const member of members) if (!equalJson(ownMember(next, member), ownMember(previous, member))) forbid(member);
  return found;
}

/** Only for the data of ConfigMaps, an empty map equals an absent one. */
const withData = (config: ConfigMap): ApiObject => ({ ...config, data: config.data ?? {} });

export const configMapRules: KindRules<ConfigMap> = {
  checks: { update: ['metadataChange', 'change', 'metadata', 'content'], changeTellsEmpty: true },
  validate: validateConfigMap,
  validateUpdate: (next, previous) =>
    validateStaysImmutable(withData(next), withData(previous), ['data', 'binaryData']),
};

const ACCOUNT_ANNOTATION = 'kubernetes.io/service-account.name';
/** The required keys of a Secret type. */
const REQUIRED_KEYS: Readonly<Record<string, readonly string[]>> = lookup({
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
});

function validateSecret(secret: Secret): FieldError[] {
  const values = part(() => sortedEntries(secret.data));
  const found = overItems(values, ([key]) => faultErrors(dataKeyFaults(key), key, `data[${key}]`));
  const bytes = part(() => values.reduce((sum, [, value]) => sum + decodedBytes(value as string), 0));
  if (bytes > DATA_BYTES) found.push(fieldError.tooLong('data', DATA_BYTES));
  return [...found, ...validateSecretOfType(secret)];
}

function validateSecretOfType(secret: Secret): FieldError[] {
  const type = secret.type ?? '';
  const data = secret.data;
  const has = (key: string) => data !== undefined && Object.hasOwn(data, key);
  switch (type) {
    case 'kubernetes.io/service-account-token':
      if ((secret.metadata.annotations?.[ACCOUNT_ANNOTATION] ?? '') !== '') return [];
      return [fieldError.required(`metadata.annotations[${ACCOUNT_ANNOTATION}]`)];
    case 'kubernetes.io/basic-auth':
      if (has('username') || has('password')) return [];
      return [fieldError.required('data[username]'), fieldError.required('data[password]')];
    case 'kubernetes.io/dockercfg':
    case 'kubernetes.io/dockerconfigjson': {
      const key = REQUIRED_KEYS[type]?.[0] as string;
      return has(key) ? validateDockerConfig(data?.[key], `data[${key}]`) : [fieldError.required(`data[${key}]`)];
    }
    case 'kubernetes.io/ssh-auth':
      return (data?.['ssh-privatekey'] ?? '') === '' ? [fieldError.required('data[ssh-privatekey]')] : [];
    default:
      return (REQUIRED_KEYS[type] ?? []).filter((key) => !has(key)).map((key) => fieldError.required(`data[${key}]`));
  }
}

/** Must be a JSON object. Because its content is secret, only the error is reported, in Go's words. */
function validateDockerConfig(value: string | undefined, field: string): FieldError[] {
  const refuse = (why: string) => [fieldError.invalid(field, '<secret contents redacted>', why)];
  try {
    const parsed = parseJson(Uint8Array.from(decodedText(String(value ?? '')), (character) => character.charCodeAt(0)));
    if (parsed === null || isObject(parsed)) return [];
    return refuse(`json: cannot unmarshal ${jsonWord(parsed)} into Go value of type map[string]interface {}`);
  } catch (error) {
    if (error instanceof JsonError) return refuse(error.message);
    throw error;
  }
}

export const secretRules: KindRules<Secret> = {
  checks: { update: ['metadataChange', 'change', 'metadata', 'content'], changeTellsEmpty: true },
  validate: validateSecret,
  validateUpdate: (next, previous) => [
    ...validateImmutableText(next['type'], previous['type'], 'type'),
    ...validateStaysImmutable(next, previous, ['data']),
  ],
  warnings: (secret) => {
    if ((secret.type ?? '') !== 'kubernetes.io/tls') return [];
    const [certificate, key] = ['tls.crt', 'tls.key'].map((name) => decodedText(textAt(secret, 'data', name)));
    return keyPairWarnings(certificate ?? '', key ?? '');
  },
};
