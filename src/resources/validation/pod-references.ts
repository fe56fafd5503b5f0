// Validation of references in pods: keys of ConfigMaps and Secrets, and fields and resources for the downward API.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { byteLength, maxLengthMessage, patternMessage, qualifiedNameFaults, subdomainFaults } from '../../api/names.ts';
import { lookup } from '../../base/lookup.ts';
import { faultErrors } from './field-rules.ts';

const KEY_BYTES = 253;
const KEY_MESSAGE = patternMessage(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  '[-._a-zA-Z0-9]+',
  'key.name',
  'KEY_NAME',
  'key-name',
);

/** Errors in a key of a ConfigMap or Secret. */
export function dataKeyFaults(key: string): string[] {
  const found: string[] = [];
  if (byteLength(key) > KEY_BYTES) found.push(maxLengthMessage(KEY_BYTES));
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) found.push(KEY_MESSAGE);
  found.push(...upwardFaults(key));
  return found;
}

/** Errors in a file name that leads out of its directory. */
export function upwardFaults(name: string): string[] {
  if (name === '.' || name === '..') return [`must not be '${name}'`];
  return name.startsWith('..') ? ["must not start with '..'"] : [];
}

/** A value of a ConfigMap or Secret. */
export function validateKeyReference({ name = '', key = '' }: { name?: string; key?: string }, field: string) {
  const found = faultErrors(subdomainFaults(name), name, `${field}.name`);
  if (key === '') return [...found, fieldError.required(`${field}.key`)];
  return [...found, ...faultErrors(dataKeyFaults(key), key, `${field}.key`)];
}

/** Pod fields that the downward API supports anywhere. */
const POD_FIELDS: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);
const WITH_SUBSCRIPT: ReadonlySet<string> = new Set(['metadata.annotations', 'metadata.labels']);

/** A field of the pod among those in `supported`, or one of its labels or annotations: `metadata.labels['app']`. */
export function validateFieldReference(
  { apiVersion = '', fieldPath = '' }: { apiVersion?: string; fieldPath?: string },
  supported: readonly string[],
  field: string,
): FieldError[] {
  if (apiVersion === '') return [fieldError.required(`${field}.apiVersion`)];
  if (fieldPath === '') return [fieldError.required(`${field}.fieldPath`)];
  const unconvertible = (why: string) => [
    fieldError.invalid(`${field}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== 'v1') return unconvertible(`unsupported pod version: ${apiVersion}`);
  if (supported.includes(fieldPath)) return [];
  const subscripted = /^([^[]+)\['([\s\S]*)'\]$/.exec(fieldPath);
  if (subscripted !== null) {
    const [, path = '', key = ''] = subscripted;
    if (!WITH_SUBSCRIPT.has(path)) return unconvertible(`field label does not support subscript: ${fieldPath}`);
    const name = path.endsWith('annotations') ? key.toLowerCase() : key;
    return faultErrors(qualifiedNameFaults(name), name, field);
  }
  // The name of the node's field before v1.
  const path = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!POD_FIELDS.has(path)) return unconvertible(`field label not supported: ${fieldPath}`);
  if (supported.includes(path)) return [];
  return [fieldError.notSupported(`${field}.fieldPath`, path, supported)];
}

const CONTAINER_RESOURCES: readonly string[] = Object.freeze([
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]);
const BYTE_UNITS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** A container's request or limit. `anyContainer`: the reference must name the container. */
export function validateResourceReference(
  reference: { containerName?: string; resource?: string; divisor?: string },
  anyContainer: boolean,
  field: string,
): FieldError[] {
  const { containerName = '', resource = '', divisor = '0' } = reference;
  const found: FieldError[] = [];
  if (anyContainer && containerName === '') found.push(fieldError.required(`${field}.containerName`));
  else if (resource === '') found.push(fieldError.required(`${field}.resource`));
  else if (!CONTAINER_RESOURCES.includes(resource) && !/^(limits|requests)\.hugepages-/.test(resource)) {
    found.push(fieldError.notSupported(`${field}.resource`, resource, CONTAINER_RESOURCES));
  }
  return divisor === '0' ? found : [...found, ...validateDivisor(resource, divisor, `${field}.divisor`)];
}

function validateDivisor(resource: string, divisor: string, field: string): FieldError[] {
  const [, name = ''] = /^(?:limits|requests)\.(.*)$/.exec(resource) ?? [];
  if (name === 'cpu') {
    if (divisor === '1' || divisor === '1m') return [];
    return [fieldError.invalid(field, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  }
  const what = name.startsWith('hugepages-') ? 'hugepages' : BYTES_OF[name];
  if (what === undefined || BYTE_UNITS.includes(divisor)) return [];
  const why = `only divisor's values ${BYTE_UNITS.join(', ')} are supported with the ${what} resource`;
  return [fieldError.invalid(field, resource, why)];
}

const BYTES_OF: Readonly<Record<string, string>> = lookup({
  memory: 'memory',
  'ephemeral-storage': 'local ephemeral storage',
});

/** A path below a directory: relative, without `..`. */
export function validateDescendingPath(path: string, field: string): FieldError[] {
  const backsteps = validateNoBacksteps(path, field);
  return path.startsWith('/') ? [fieldError.invalid(field, path, 'must be a relative path'), ...backsteps] : backsteps;
}

/** A path that may be absolute, but has no `..`. */
export function validateNoBacksteps(path: string, field: string): FieldError[] {
  return path.includes('..') && path.split('/').includes('..')
    ? [fieldError.invalid(field, path, "must not contain '..'")]
    : [];
}

/** A relative path whose first part does not begin with `..`: the kubelet uses such names. */
export function validateOwnPath(path: string, field: string): FieldError[] {
  const found = validateDescendingPath(path, field);
  if (!path.startsWith('..') || path.startsWith('../')) return found;
  return [...found, fieldError.invalid(field, path, "must not start with '..'")];
}
