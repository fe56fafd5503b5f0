// The text formats of declared validation (`+k8s:format=k8s-short-name`), with Kubernetes' messages.

import { type FieldError, fieldError } from '../../api/errors.ts';
import {
  byteLength,
  caselessSubdomainFaults,
  labelFaults,
  labelValueFaults,
  pathSegmentFaults,
  qualifiedNameFaults,
  subdomainFaults,
} from '../../api/names.ts';
import { lookup } from '../../base/lookup.ts';

/** Errors of a text at a field. */
type FormatRule = (text: string, field: string) => FieldError[];

const faults =
  (of: (text: string) => readonly string[]): FormatRule =>
  (text, field) =>
    inBytes(of(text)).map((detail) => fieldError.invalid(field, text, detail));

/** These errors give lengths in bytes; those of hand-written rules give them in characters. */
function inBytes(found: readonly string[]): string[] {
  return found.map((detail) => detail.replace(/(must be no more than \d+) characters$/, '$1 bytes'));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const C_IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const C_IDENTIFIER_ALL = new RegExp(`^${C_IDENTIFIER}$`);
const C_IDENTIFIER_FAULT = `a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '${C_IDENTIFIER}')`;
const LONGEST_IDENTIFIER = 32;
const LONGEST_DOMAIN = 63;
const LONGEST_POOL_NAME = 253;
const KUBERNETES_DOMAIN = 'kubernetes.io/';
const REQUESTS = 'requests.';

/** By the names of the formats. */
export const FORMATS: Readonly<Record<string, FormatRule>> = lookup<FormatRule>({
  'k8s-short-name': faults(labelFaults),
  'k8s-long-name': faults(subdomainFaults),
  'k8s-long-name-caseless': faults(caselessSubdomainFaults),
  'k8s-label-key': faults(qualifiedNameFaults),
  'k8s-prefixed-label-key': faults(prefixedKeyFaults),
  'k8s-label-value': faults(labelValueFaults),
  'k8s-path-segment-name': faults(pathSegmentFaults),
  'k8s-uuid': faults((text) => (UUID.test(text) ? [] : ['must be a lowercase UUID in 8-4-4-4-12 format'])),
  'k8s-resource-pool-name': poolNameErrors,
  'k8s-extended-resource-name': faults(extendedResourceFaults),
  'k8s-resource-fully-qualified-name': fullyQualifiedErrors,
});

function prefixedKeyFaults(text: string): readonly string[] {
  const found = qualifiedNameFaults(text);
  return found.length > 0 || text.includes('/') ? found : ["must include a prefix (e.g. 'example.com/key')"];
}

function poolNameErrors(text: string, field: string): FieldError[] {
  const long = byteLength(text) > LONGEST_POOL_NAME ? [fieldError.tooLong(field, LONGEST_POOL_NAME)] : [];
  const segments = text.split('/').flatMap((segment, index) => {
    if (segment === '') return [fieldError.invalid(field, text, `segment ${index}: must not be empty`)];
    return inBytes(subdomainFaults(segment)).map((detail) =>
      fieldError.invalid(field, segment, `segment ${index}: ${detail}`),
    );
  });
  return [...long, ...segments];
}

function extendedResourceFaults(text: string): readonly string[] {
  const found: string[] = [];
  if (!text.includes('/')) found.push("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  else if (text.includes(KUBERNETES_DOMAIN)) found.push(`must not have "${KUBERNETES_DOMAIN}" domain`);
  if (text.startsWith(REQUESTS)) found.push(`must not have "${REQUESTS}" prefix`);
  return [...found, ...qualifiedNameFaults(`${REQUESTS}${text}`)];
}

function fullyQualifiedErrors(text: string, field: string): FieldError[] {
  const parts = text.split('/');
  const [domain = '', name = ''] = parts;
  if (parts.length === 1) {
    const why = 'a fully qualified name must be a domain and a name separated by a slash';
    return [...identifierErrors(domain, field), fieldError.invalid(field, text, why)];
  }
  if (parts.length > 2) return [];
  return [...domainErrors(domain, field), ...nameErrors(name, field)];
}

function domainErrors(domain: string, field: string): FieldError[] {
  if (domain === '') return [fieldError.invalid(field, '', 'prefix must not be empty')];
  const long = byteLength(domain) > LONGEST_DOMAIN ? [fieldError.tooLong(field, LONGEST_DOMAIN)] : [];
  return [
    ...long,
    ...inBytes(subdomainFaults(domain)).map((detail) => fieldError.invalid(field, domain, `prefix: ${detail}`)),
  ];
}

function nameErrors(name: string, field: string): FieldError[] {
  return name === '' ? [fieldError.invalid(field, '', 'name must not be empty')] : identifierErrors(name, field);
}

function identifierErrors(text: string, field: string): FieldError[] {
  const long = byteLength(text) > LONGEST_IDENTIFIER ? [fieldError.tooLong(field, LONGEST_IDENTIFIER)] : [];
  return C_IDENTIFIER_ALL.test(text) ? long : [...long, fieldError.invalid(field, text, C_IDENTIFIER_FAULT)];
}
