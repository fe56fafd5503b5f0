// JSON encoding of CEL values, for people and for objects created by expressions.

import type { Json, JsonObject } from '../api/object.ts';
import { Duration, formatDuration } from '../cel/value/duration.ts';
import { formatTimestamp, Timestamp } from '../cel/value/timestamp.ts';
import {
  Double,
  ListValue,
  MapValue,
  OpaqueValue,
  Optional,
  StructValue,
  TypeValue,
  Uint,
  type Value,
} from '../cel/value/value.ts';
import { PatchObject } from './patch-object.ts';

/** A value as JSON. Types and opaque values are represented by their names. */
export function jsonOf(value: Value): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Double || value instanceof Uint) return value.value;
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value));
  if (value instanceof ListValue) return Array.from({ length: value.size }, (_, index) => jsonOf(value.at(index)));
  if (value instanceof MapValue) return objectOf(value);
  if (value instanceof Optional) return value.value === undefined ? null : jsonOf(value.value);
  if (value instanceof PatchObject) {
    return Object.fromEntries([...value.fields].map(([name, each]) => [name, jsonOf(each)]));
  }
  if (value instanceof TypeValue) return value.name;
  if (value instanceof OpaqueValue || value instanceof StructValue) return value.type.name;
  return value satisfies never;
}

function objectOf(map: MapValue): JsonObject {
  const members = Array.from(map.keys(), (key): [string, Json] => [String(jsonOf(key)), jsonOf(map.get(key) as Value)]);
  return Object.fromEntries(members);
}
