// Validation of domain names: minimum number of labels, wildcards, and names with a path.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { byteLength, labelFaults, patternMessage, subdomainFaults } from '../../api/names.ts';
import { faultErrors } from './field-rules.ts';

const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const WILDCARD_MESSAGE = patternMessage(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  `\\*\\.${SUBDOMAIN}`,
  '*.example.com',
);
const WILDCARD = new RegExp(`^\\*\\.${SUBDOMAIN}$`);
const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const HTTP_PATH_MESSAGE = patternMessage('Invalid path', HTTP_PATH);
const IS_HTTP_PATH = new RegExp(`^${HTTP_PATH}$`);

/** `*.example.com`: the wildcard stands for the first label. */
export function wildcardFaults(text: string): readonly string[] {
  const found = byteLength(text) > 253 ? ['must be no more than 253 characters'] : [];
  return WILDCARD.test(text) ? found : [...found, WILDCARD_MESSAGE];
}

/** A domain of three labels or more: the name of a webhook. */
export function validateQualifiedDomain(text: string, field: string): FieldError[] {
  if (text === '') return [fieldError.required(field)];
  const faults = subdomainFaults(text);
  if (faults.length > 0) return [fieldError.invalid(field, text, faults.join(','))];
  if (text.split('.').length >= 3) return [];
  return [fieldError.invalid(field, text, 'should be a domain with at least three segments separated by dots')];
}

/** A domain with a path: `acme.io/foo`. */
export function validateDomainPrefixedPath(text: string, field: string): FieldError[] {
  if (text === '') return [fieldError.required(field)];
  const slash = text.indexOf('/');
  const host = text.slice(0, Math.max(slash, 0));
  const path = text.slice(slash + 1);
  if (slash < 0 || host === '' || path === '') {
    return [fieldError.invalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const found = faultErrors(subdomainFaults(host), host, field);
  return IS_HTTP_PATH.test(path) ? found : [...found, fieldError.invalid(field, path, HTTP_PATH_MESSAGE)];
}

const SIGNER_DOMAIN_BYTES = 253;
const SIGNER_NAME_BYTES = 571;

/** The name of a certificate signer: `example.com/signer-name`. */
export function validateSignerName(text: string, field: string): FieldError[] {
  if (text === '') return [fieldError.required(field)];
  const [domain = '', path = '', ...more] = text.split('/');
  if (more.length > 0 || !text.includes('/')) {
    const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [fieldError.invalid(field, text, why)];
  }
  const found = byteLength(domain) > SIGNER_DOMAIN_BYTES ? [fieldError.tooLong(field, SIGNER_DOMAIN_BYTES)] : [];
  const labels = domain.split('.');
  found.push(...firstFaulty(labels, labelFaults, { value: domain, field }));
  if (labels.length < 2) {
    const why = 'should be a domain with at least two segments separated by dots';
    found.push(fieldError.invalid(field, domain, why));
  }
  found.push(...firstFaulty(path.split('.'), subdomainFaults, { value: path, field }));
  if (byteLength(text) > SIGNER_NAME_BYTES) found.push(fieldError.tooLong(field, SIGNER_NAME_BYTES));
  return found;
}

/** Whether a signer is one of Kubernetes' own. */
export function isOwnSigner(text: string): boolean {
  const [domain = ''] = text.split('/');
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io');
}

/** The error in the first invalid label. */
function firstFaulty(
  labels: readonly string[],
  faultsOf: (label: string) => readonly string[],
  at: { value: string; field: string },
): FieldError[] {
  for (const label of labels) {
    const faults = faultsOf(label);
    if (faults.length === 0) continue;
    return faults.map((each) =>
      fieldError.invalid(at.field, at.value, `validating label ${JSON.stringify(label)}: ${each}`),
    );
  }
  return [];
}
