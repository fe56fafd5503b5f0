// Values of JSON patches that cannot be written as JSON, in the words of cel-go.

import { goQuote, goQuoteCharacter } from '../../base/go-quote.ts';
import { lookup } from '../../base/lookup.ts';
import { Type } from '../../cel/types/type.ts';
import { runtimeType } from '../../cel/value/runtime-type.ts';
import { ListValue, MapValue, OpaqueValue, Optional, type Value } from '../../cel/value/value.ts';
import { JsonList } from '../../expressions/json-list.ts';
import { ObjectValue } from '../../expressions/object-value.ts';
import { PatchObject } from '../../expressions/patch-object.ts';
import { jsonOf } from '../../expressions/value-json.ts';

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
  if (value instanceof Optional) {
    return value.value === undefined ? 'optional.none() dereference' : unmarshallable(value.value);
  }
  if (value instanceof PatchObject) return fieldFault(value) ?? firstFault(value.fields.values());
  // Objects of requests come from JSON.
  if (value instanceof JsonList || value instanceof ObjectValue) return undefined;
  if (value instanceof ListValue) return firstFault(itemsOf(value));
  if (value instanceof MapValue) {
    const misfit = value.keys().find((key) => typeof key !== 'string');
    return misfit === undefined ? firstFault(value.keys().map((key) => value.get(key) as Value)) : keyFault(misfit);
  }
  return undefined;
}

/** Which field of an object literal is a map with keys other than strings; undefined for none. */
export function fieldFault({ fields }: PatchObject): string | undefined {
  for (const [name, value] of fields) {
    if (!(value instanceof MapValue)) continue;
    const misfit = value.keys().find((key) => typeof key !== 'string');
    if (misfit !== undefined)
      return `fail to convert field ${goQuote(name)}: map key ${formattedKey(misfit)}, not string`;
  }
  return undefined;
}

const GO_NAMES: Readonly<Record<string, string>> = lookup({
  ...{ int: 'Int', uint: 'Uint', bool: 'Bool', double: 'Double', null_type: 'Null' },
});

/** A key as Go formats it as a quoted value: numbers are characters. */
function formattedKey(key: Value): string {
  const { name } = runtimeType(key);
  const type = `types.${GO_NAMES[name] ?? name}`;
  const isNumber = name === 'int' || name === 'uint' || name === 'null_type';
  const text = isNumber ? goQuoteCharacter(Number(jsonOf(key) ?? 0)) : `%!q(${type}=${jsonOf(key)})`;
  return `${text} is of type ${type}`;
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
