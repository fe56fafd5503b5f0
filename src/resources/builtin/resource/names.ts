// Names in dynamic resource allocation: pools, and attributes of devices, which are C identifiers.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { byteLength, patternMessage, subdomainFaults } from '../../../api/names.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { faultErrors } from '../../validation/field-rules.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';

const POOL_BYTES = 253;
const IDENTIFIER_BYTES = 32;
const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const IS_IDENTIFIER = new RegExp(`^${IDENTIFIER}$`);
const IDENTIFIER_MESSAGE = patternMessage(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  IDENTIFIER,
  'my_name',
  'MY_NAME',
  'MyName',
);

/** A pool name consists of one or more domains separated by slashes. */
export function validatePoolName(name: string, field: string): FieldError[] {
  if (name === '') return [fieldError.required(field)];
  const found = byteLength(name) > POOL_BYTES ? [fieldError.tooLong(field, POOL_BYTES)] : [];
  return [...found, ...name.split('/').flatMap((part) => faultErrors(subdomainFaults(part), part, field))];
}

function validateIdentifier(text: string, field: string): FieldError[] {
  const found = byteLength(text) > IDENTIFIER_BYTES ? [fieldError.tooLong(field, IDENTIFIER_BYTES)] : [];
  return IS_IDENTIFIER.test(text) ? found : [...found, fieldError.invalid(field, text, IDENTIFIER_MESSAGE)];
}

/** The release whose rules apply; the one served by default without a number. */
interface Release {
  readonly minor?: number | undefined;
}

/** The first minor release in which a missing name is an invalid identifier. */
const EMPTY_IS_INVALID = 35;

/** The name of an attribute or capacity, optionally qualified by a domain. */
export function validateAttributeName(name: string, field: string, release: Release = {}): FieldError[] {
  const isInvalid = isSince(release, EMPTY_IS_INVALID);
  if (name === '' && !isInvalid) return [fieldError.required(field, 'name required')];
  const [first = '', second, ...more] = name.split('/');
  if (second === undefined) return validateIdentifier(first, field);
  // Kubernetes does not validate the parts of a name with more than two.
  if (more.length > 0) return [];
  const missing = (why: string) => (isInvalid ? fieldError.invalid(field, '', why) : fieldError.required(field, why));
  return [
    ...(first === '' ? [missing('the domain must not be empty')] : validateDriverName(first, field)),
    ...(second === '' ? [missing('the name must not be empty')] : validateIdentifier(second, field)),
  ];
}

/** The fully qualified name of an attribute in a constraint. */
export function validateDomainAttribute(name: string, field: string, release: Release = {}): FieldError[] {
  const found = validateAttributeName(name, field, release);
  if (name.includes('/')) return found;
  if (isSince(release, EMPTY_IS_INVALID)) {
    const why = 'a fully qualified name must be a domain and a name separated by a slash';
    return [...found, fieldError.invalid(field, name, why)];
  }
  return name === '' ? found : [...found, fieldError.invalid(field, name, 'must include a domain')];
}
