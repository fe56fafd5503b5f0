// Errors for a strategic merge patch whose result is not an object of its kind, in Kubernetes' words. The result is
// converted from maps and lists rather than decoded from JSON, which has different messages for values of wrong types.

import { isNumber } from '../api/is-object.ts';
import type { DecodeError } from '../schema/decode.ts';

/** Decoding errors in the words of that conversion. */
export function restoreMessage({ message, mismatch }: DecodeError): string {
  // Types with their own unmarshaler read JSON here, too.
  if (mismatch?.word !== undefined)
    return `json: cannot unmarshal ${mismatch.word} into Go value of type ${mismatch.type}`;
  if (mismatch !== undefined) return restoreFault(mismatch);
  return message.startsWith('illegal base64') ? `error decoding from json: ${message}` : message;
}

/**
 * Why a value does not have a type.
 *
 * @param type the Go type
 * @param named its name, if it has one
 * @internal
 */
export function restoreFault({ type, named = type, value }: Restored): string {
  if (type.startsWith('[]')) return `cannot restore slice from ${goKind(value)}`;
  if (type.startsWith('map[')) return `cannot restore map from ${goKind(value)}`;
  if (/^\w+\.[A-Z]/.test(type)) return `cannot restore struct from: ${goKind(value)}`;
  const found = goType(value);
  // Go converts numbers to numbers and to strings; other types are unknown to it.
  const converts = isNumber(value) && (/^(?:u?int|float)/.test(type) || (type === 'string' && found === 'int64'));
  return converts ? `cannot convert ${found} to ${named}` : `unrecognized type: ${type}`;
}

interface Restored {
  readonly type: string;
  readonly named?: string | undefined;
  readonly value: unknown;
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
