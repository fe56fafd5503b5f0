// Errors of a strategic merge whose result is not an object of its kind, in Kubernetes' words. It does not pass through
// JSON: it is restored from maps and lists, which has words of its own for values of wrong types.

import type { DecodeError } from '../schema/decode.ts';

/** What decoding found, in the words of restoring. */
export function restoreMessage({ message, mismatch }: DecodeError): string {
  if (mismatch !== undefined) return restoreFault(mismatch);
  return message.startsWith('illegal base64') ? `error decoding from json: ${message}` : message;
}

/**
 * Why a value can't be of a type.
 *
 * @param type what it is in Go
 * @param named its name, where it has one of its own
 */
export function restoreFault({ type, named = type, value }: Restored): string {
  if (type.startsWith('[]')) return `cannot restore slice from ${goKind(value)}`;
  if (type.startsWith('map[')) return `cannot restore map from ${goKind(value)}`;
  if (/^\w+\.[A-Z]/.test(type)) return `cannot restore struct from: ${goKind(value)}`;
  const found = goType(value);
  // Go converts numbers to numbers and to text; whatever it does not convert it does not know.
  const converts = isNumber(value) && (/^(?:u?int|float)/.test(type) || (type === 'string' && found === 'int64'));
  return converts ? `cannot convert ${found} to ${named}` : `unrecognized type: ${type}`;
}

interface Restored {
  readonly type: string;
  readonly named?: string | undefined;
  readonly value: unknown;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  return typeof value === 'object' ? 'map' : goType(value);
}

function goType(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64';
}
