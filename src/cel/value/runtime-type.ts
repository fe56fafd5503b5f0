// Run-time types of values: the result of `type()`, used for dynamic calls.

import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  Type,
  typeOf,
  UINT,
} from '../types/type.ts';
import { Duration } from './duration.ts';
import { Timestamp } from './timestamp.ts';
import {
  Double,
  ListValue,
  MapValue,
  type OpaqueValue,
  Optional,
  type StructValue,
  Uint,
  type Value,
} from './value.ts';

const LIST = listOf(DYN);
const MAP = mapOf(DYN, DYN);
const OPTIONAL = optionalOf(DYN);
const TYPE = typeOf();

/** Returns the type of a value; for lists, maps and optionals without the element type. */
export function runtimeType(value: Value): Type<unknown> {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'number':
    case 'bigint':
      return INT;
    case 'boolean':
      return BOOL;
  }
  if (value === null) return NULL;
  if (value instanceof ListValue) return LIST;
  if (value instanceof MapValue) return MAP;
  if (value instanceof Uint) return UINT;
  if (value instanceof Double) return DOUBLE;
  if (value instanceof Uint8Array) return BYTES;
  if (value instanceof Timestamp) return TIMESTAMP;
  if (value instanceof Duration) return DURATION;
  if (value instanceof Optional) return OPTIONAL;
  if (value instanceof Type) return TYPE;
  return (value as StructValue | OpaqueValue).type as Type<unknown>;
}

/**
 * Whether a value can be an operand declared as `type`. Only the first element of lists and maps is checked, as in
 * cel-go: this selects among overloads that differ in nothing else.
 */
export function isOfType(value: Value, type: Type<unknown>): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'parameter':
      return true;
    case 'wrapper':
      return value === null || isOfType(value, type.parameters[0]!);
    case 'opaque':
    case 'struct':
      return runtimeType(value).name === type.name;
    case 'list':
      return value instanceof ListValue && (value.size === 0 || isOfType(value.at(0), type.parameters[0]!));
    case 'map':
      return value instanceof MapValue && firstEntryIsOf(value, type.parameters);
    default:
      return runtimeType(value).kind === type.kind;
  }
}

function firstEntryIsOf(map: MapValue, [keys, values]: readonly Type<unknown>[]): boolean {
  // A map may count entries that it does not show.
  const key = map.keys()[0];
  return key === undefined || (isOfType(key, keys!) && isOfType(map.get(key)!, values!));
}
