// Validation of port numbers and names, and of protocols.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { byteLength } from '../../api/names.ts';
import { faultErrors, validateRange } from './field-rules.ts';

const NAME_BYTES = 15;
/** The form of most names. */
const PLAIN_NAME = /^[a-z]{1,15}$/;

export function validatePortNumber(port: number, field: string): FieldError[] {
  return validateRange(port, [1, 65_535], field);
}

/** A port name in the form of IANA service names: RFC 6335, section 5.1. */
export function portNameFaults(name: string): string[] {
  if (PLAIN_NAME.test(name)) return [];
  const found: string[] = [];
  if (byteLength(name) > NAME_BYTES) found.push(`must be no more than ${NAME_BYTES} characters`);
  if (!/^[-a-z0-9]+$/.test(name)) found.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) found.push('must contain at least one letter (a-z)');
  if (name.includes('--')) found.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) found.push('must not begin or end with a hyphen');
  return found;
}

/** A port by number or name. */
export function validatePortNumberOrName(port: number | string | undefined, field: string): FieldError[] {
  if (typeof port === 'string') return faultErrors(portNameFaults(port), port, field);
  return validatePortNumber(Number(port ?? 0), field);
}

/** A required protocol; messages list the supported ones in the given order. */
export function validateProtocol(protocol: string, supported: readonly string[], field: string): FieldError[] {
  if (protocol === '') return [fieldError.required(field)];
  return supported.includes(protocol) ? [] : [fieldError.notSupported(field, protocol, supported)];
}

export const PROTOCOLS: readonly string[] = Object.freeze(['SCTP', 'TCP', 'UDP']);
