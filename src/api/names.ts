// Validation of names, labels, annotation keys and finalizers. Each rule returns Kubernetes' messages, none for a valid
// text; the caller knows the field.

import { byteLength } from '../base/byte-length.ts';

/** The unit of Kubernetes' limits. */
export { byteLength };

const LABEL_BYTES = 63;
const SUBDOMAIN_BYTES = 253;
/** Total size of all keys and values of an object's annotations. */
export const ANNOTATIONS_BYTES = 256 * 1024;

const LABEL_1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_1123 = `${LABEL_1123}(\\.${LABEL_1123})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;

const OK: readonly string[] = Object.freeze([]);

/** `must be no more than 63 characters`: Kubernetes says characters but counts bytes. */
export function maxLengthMessage(bytes: number): string {
  return `must be no more than ${bytes} characters`;
}

/** Kubernetes' message for a regular expression that does not match. */
export function patternMessage(message: string, pattern: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  const given = examples.map((each) => `'${each}', `).join(' or ');
  return `${message} (e.g. ${given}regex used for validation is '${pattern}')`;
}

const SUBDOMAIN_MESSAGE = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN_1123,
  'example.com',
);
const CASELESS_SUBDOMAIN_MESSAGE = patternMessage(
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN_1123,
  'Example.com',
);
const LABEL_MESSAGE = patternMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL_1123,
  'my-name',
  '123-abc',
);
const LABEL_1035_MESSAGE = patternMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  LABEL_1035,
  'my-name',
  'abc-123',
);
const QUALIFIED_MESSAGE = patternMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  QUALIFIED,
  'MyName',
  'my.name',
  '123-abc',
);
const LABEL_VALUE_MESSAGE = patternMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  LABEL_VALUE,
  'MyValue',
  'my_value',
  '12345',
);

const DASH = 0x2d;
const DOT = 0x2e;

function isLabel(text: string): boolean {
  return !text.includes('.') && isSubdomain(text);
}

/**
 * Whether the text up to `end` consists of labels separated by dots; a label begins and ends with a letter or digit.
 */
function isSubdomain(text: string, end = text.length): boolean {
  let previous = DOT;
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === DOT) {
      if (previous === DOT || previous === DASH) return false;
    } else if (code === DASH) {
      if (previous === DOT) return false;
    } else if (!isLowerAlphanumeric(code)) return false;
    previous = code;
  }
  return previous !== DOT && previous !== DASH;
}

/**
 * Whether the text from `start` on consists of letters, digits, `-`, `_` and `.`, and begins and ends with a letter or
 * digit.
 */
function isQualified(text: string, start = 0): boolean {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (!isAlphanumeric(code) && code !== DASH && code !== DOT && code !== 0x5f) return false;
  }
  return isAlphanumeric(text.charCodeAt(start)) && isAlphanumeric(text.charCodeAt(text.length - 1));
}

function isLowerAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

function isAlphanumeric(code: number): boolean {
  return isLowerAlphanumeric(code) || (code >= 65 && code <= 90);
}

function check(text: string, bytes: number, wrong: string | undefined): readonly string[] {
  const long = text.length > bytes || (text.length * 3 > bytes && byteLength(text) > bytes);
  if (!long && wrong === undefined) return OK;
  const found = long ? [maxLengthMessage(bytes)] : [];
  if (wrong !== undefined) found.push(wrong);
  return found;
}

/** An RFC 1123 subdomain: the name of most objects. */
export function subdomainFaults(text: string): readonly string[] {
  return check(text, SUBDOMAIN_BYTES, isSubdomain(text) ? undefined : SUBDOMAIN_MESSAGE);
}

/** A subdomain in letters of either case. */
export function caselessSubdomainFaults(text: string): readonly string[] {
  return check(text, SUBDOMAIN_BYTES, isSubdomain(text.toLowerCase()) ? undefined : CASELESS_SUBDOMAIN_MESSAGE);
}

/** An RFC 1123 label: the name of a namespace. */
export function labelFaults(text: string): readonly string[] {
  if (isLabel(text)) return check(text, LABEL_BYTES, undefined);
  return check(text, LABEL_BYTES, isSubdomain(text) ? 'must not contain dots' : LABEL_MESSAGE);
}

/** An RFC 1035 label, which begins with a letter: the name of a service. */
export function label1035Faults(text: string): readonly string[] {
  const first = text.charCodeAt(0);
  return check(text, LABEL_BYTES, isLabel(text) && first > 57 ? undefined : LABEL_1035_MESSAGE);
}

/** A valid path segment: the name of an RBAC role. */
export function pathSegmentFaults(text: string): readonly string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return pathSegmentPrefixFaults(text);
}

/** The prefix of a valid path segment. */
function pathSegmentPrefixFaults(text: string): readonly string[] {
  if (!text.includes('/') && !text.includes('%')) return OK;
  return ['/', '%'].filter((each) => text.includes(each)).map((each) => `may not contain '${each}'`);
}

/** A qualified name, `example.com/name` or `name`: label keys, finalizers, condition types. */
export function qualifiedNameFaults(text: string): readonly string[] {
  const slash = text.indexOf('/');
  if (isQualifiedName(text, slash)) return OK;
  const name = text.slice(slash + 1);
  if (name.includes('/')) {
    return [
      `a qualified name ${QUALIFIED_MESSAGE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const found: string[] = [];
  if (slash === 0) found.push('prefix part must be non-empty');
  else if (slash > 0) found.push(...subdomainFaults(text.slice(0, slash)).map((each) => `prefix part ${each}`));
  if (name === '') found.push('name part must be non-empty');
  found.push(
    ...check(name, LABEL_BYTES, isQualified(name) ? undefined : QUALIFIED_MESSAGE).map((each) => `name part ${each}`),
  );
  return found;
}

function isQualifiedName(text: string, slash: number): boolean {
  if (text.length - slash - 1 > LABEL_BYTES || !isQualified(text, slash + 1)) return false;
  return slash < 0 || (slash <= SUBDOMAIN_BYTES && isSubdomain(text, slash));
}

export function labelValueFaults(text: string): readonly string[] {
  return check(text, LABEL_BYTES, text === '' || isQualified(text) ? undefined : LABEL_VALUE_MESSAGE);
}

/** Keys of annotations are qualified names in any case. */
export function annotationKeyFaults(text: string): readonly string[] {
  return isQualifiedName(text, text.indexOf('/')) ? OK : qualifiedNameFaults(text.toLowerCase());
}

export const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** A finalizer is a qualified name that has a domain or is one of Kubernetes' own. */
export function finalizerDomainFaults(text: string): readonly string[] {
  if (text.includes('/') || STANDARD_FINALIZERS.has(text)) return OK;
  return ['name is neither a standard finalizer name nor is it fully qualified'];
}

/** The rule for names of a kind. */
export type NameRuleName = 'subdomain' | 'label' | 'label1035' | 'pathSegment';

const NAME_RULES: Readonly<Record<NameRuleName, (text: string) => readonly string[]>> = Object.freeze({
  subdomain: subdomainFaults,
  label: labelFaults,
  label1035: label1035Faults,
  pathSegment: pathSegmentFaults,
});

/** Validation errors of an object's name. */
export function nameFaults(rule: NameRuleName, text: string): readonly string[] {
  return NAME_RULES[rule](text);
}

/** Validation errors of a `generateName`, which may end in a dash because more follows. */
export function generateNameFaults(rule: NameRuleName, prefix: string): readonly string[] {
  if (rule === 'pathSegment') return pathSegmentPrefixFaults(prefix);
  // Kubernetes replaces the last two bytes by an `a`; the first byte of a longer character remains, and is rejected.
  const kept = prefix.charCodeAt(prefix.length - 2) > 0x7f ? -1 : -2;
  const masked = prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, kept)}a` : prefix;
  return NAME_RULES[rule](masked);
}
