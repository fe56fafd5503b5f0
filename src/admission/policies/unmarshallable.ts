// Values of JSON patches that cannot be written as JSON, in the words of cel-go.

import { lookup } from '../../base/lookup.ts';
import { Type } from '../../cel/types/type.ts';
import { runtimeType } from '../../cel/value/runtime-type.ts';
import { ListValue, MapValue, OpaqueValue, type Value } from '../../cel/value/value.ts';
import { JsonList } from '../../expressions/json-list.ts';
import { ObjectValue } from '../../expressions/object-value.ts';
import { PatchObject } from '../../expressions/patch-object.ts';

/** Names of Go types and formats that differ from the names of the CEL types. */
const FROM: Readonly<Record<string, string>> = lookup({
  double: 'Double',
  bytes: 'Bytes',
  null_type: "'null_type'",
  'google.protobuf.Duration': "'Duration'",
  'google.protobuf.Timestamp': "'Timestamp'",
});

/** Why a value cannot be written as JSON: a type, an opaque value or a key other than a string in it; or undefined. */
export function unmarshallable(value: Value): string | undefined {
  if (value instanceof Type) return "type conversion not supported for 'type'";
  if (value instanceof OpaqueValue) {
    const name = value.type.name.split('.').at(-1);
    return `type conversion error from '${name}' to '*structpb.Value'`;
  }
  if (value instanceof PatchObject) return firstFault(value.fields.values());
  // Objects of requests come from JSON.
  if (value instanceof JsonList || value instanceof ObjectValue) return undefined;
  if (value instanceof ListValue) return firstFault(itemsOf(value));
  if (value instanceof MapValue) {
    const misfit = value.keys().find((key) => typeof key !== 'string');
    return misfit === undefined ? firstFault(value.keys().map((key) => value.get(key) as Value)) : keyFault(misfit);
  }
  return undefined;
}

function firstFault(values: Iterable<Value>): string | undefined {
  for (const value of values) {
    const fault = unmarshallable(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function* itemsOf(list: ListValue): Iterable<Value> {
  for (let index = 0; index < list.size; index++) yield list.at(index);
}

function keyFault(key: Value): string {
  const { name } = runtimeType(key);
  if (name === 'int' || name === 'uint') return `unsupported type conversion from '${name}' to string`;
  return `type conversion error from ${FROM[name] ?? name} to 'string'`;
}
