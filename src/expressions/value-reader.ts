// Views of an object's JSON as CEL values, typed by its schema: nothing is copied, members and items are read when an
// expression asks for them. The same JSON can be different values: a text a timestamp, a number a double.

import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { opaqueType } from '../cel/types/type.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { Double, OpaqueValue, type Value } from '../cel/value/value.ts';
import { CURRENT_MINOR, isSince } from '../lifecycle/version.ts';
import { withObjectMembers } from '../schema/structural/object-members.ts';
import type { SchemaPart } from '../schema/structural/schema-part.ts';
import { escapeFieldName } from './field-name.ts';
import { readFormatted } from './formatted-text.ts';
import { JsonList, KeyedList, SetList } from './json-list.ts';
import { type Member, ObjectValue } from './object-value.ts';

/** Converts JSON to a value. Throws EvaluationError for what the schema does not allow. */
export type ValueReader = (json: Json) => Value;

/** Readers by schema part: only a cache. */
const readers = new WeakMap<SchemaPart, ValueReader>();

/** The first minor release of Kubernetes 1 whose lists grow into those that expressions make. */
const GROWS_PLAIN = 37;

/**
 * The reader for a schema.
 * @param isObject whether it is a whole object, with kind, apiVersion and a name
 * @param minor the release of Kubernetes 1 that is served; the one served by default if undefined
 */
export function readerOf(part: SchemaPart, isObject = false, minor: number = CURRENT_MINOR): ValueReader {
  if (isObject || part.embedded) return readNullable(part, objectReader(withObjectMembers(part), minor));
  let reader = readers.get(part);
  if (reader === undefined) {
    reader = readNullable(part, makeReader(part, minor));
    readers.set(part, reader);
  }
  return reader;
}

function readNullable({ nullable }: SchemaPart, read: ValueReader): ValueReader {
  return (json) => {
    if (json !== null) return read(json);
    if (nullable) return null;
    throw new EvaluationError('invalid data, got null for schema with nullable=false');
  };
}

function makeReader(part: SchemaPart, minor: number): ValueReader {
  if (part.intOrString) return readIntOrString;
  switch (part.types[0]) {
    case 'object':
      return objectReader(part, minor);
    case 'array':
      return listReader(part, minor);
    case 'string':
      return textReader(part);
    case 'number':
      return readNumber;
    case 'integer':
      return readInteger;
    case 'boolean':
      return readBoolean;
    default:
      return part.preserves ? (json) => new PreservedValue(json) : refuseType;
  }
}

function objectReader(part: SchemaPart, minor: number): ValueReader {
  const { properties, additional, embedded } = part;
  if (properties.size === 0 && !embedded && typeof additional === 'object') {
    const read = readerOf(additional, false, minor);
    return (json) => new ObjectValue(objectOf(json), { values: read }, true);
  }
  let members: ReadonlyMap<string, Member> | undefined;
  return (json) => {
    members ??= membersOf(properties, minor);
    return new ObjectValue(objectOf(json), { members }, true);
  };
}

function objectOf(json: Json): JsonObject {
  if (isObject(json)) return json;
  throw new EvaluationError('invalid data, expected a map for the provided schema with type=object');
}

/** By all names that an expression may use. */
function membersOf(properties: ReadonlyMap<string, SchemaPart>, minor: number): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  for (const [name, part] of properties) {
    const spelled = escapeFieldName(name) ?? name;
    const member = { name, spelled, read: readerOf(part, false, minor) };
    members.set(name, member);
    members.set(spelled, member);
  }
  return members;
}

function listReader({ items, listType, listKeys }: SchemaPart, minor: number): ValueReader {
  if (items === undefined) return () => fail('invalid array type, expected Items with a non-empty Schema');
  const read = readerOf(items, false, minor);
  const facts = { isTyped: true, growsPlain: isSince({ minor }, GROWS_PLAIN) };
  const listOf = (json: Json) => {
    if (!Array.isArray(json)) fail('invalid data, expected an array for the provided schema with type=array');
    return new JsonList(json as Json[], read, facts);
  };
  if (listType === 'set') return (json) => new SetList(listOf(json));
  if (listType === 'map') {
    const keys = listKeys.map((key) => escapeFieldName(key) ?? key);
    return (json) => new KeyedList(listOf(json), keys);
  }
  return listOf;
}

function textReader({ format }: SchemaPart): ValueReader {
  const formatted = readFormatted(format);
  return (json) => {
    if (typeof json !== 'string') return fail(`invalid data, expected string, got ${goTypeOf(json)}`);
    return formatted === undefined ? json : formatted(json);
  };
}

function readIntOrString(json: Json): Value {
  if (typeof json === 'string' || isInteger(json)) return json;
  return fail('invalid data, expected XIntOrString value to be either a string or integer');
}

function readNumber(json: Json): Value {
  if (typeof json === 'number' || typeof json === 'bigint') return new Double(Number(json));
  return fail(`invalid data, expected float, got ${goTypeOf(json)}`);
}

function readInteger(json: Json): Value {
  return isInteger(json) ? json : fail(`invalid data, expected int, got ${goTypeOf(json)}`);
}

function readBoolean(json: Json): Value {
  return typeof json === 'boolean' ? json : fail(`invalid data, expected bool, got ${goTypeOf(json)}`);
}

function refuseType(): Value {
  return fail(
    'invalid type, expected object, array, number, integer, boolean or string, or no type with ' +
      'x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ',
  );
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

function isInteger(json: Json): json is number | bigint {
  if (typeof json === 'number') return Number.isSafeInteger(json);
  return typeof json === 'bigint' && json >= MIN_INT64 && json <= MAX_INT64;
}

function goTypeOf(json: Json): string {
  if (typeof json === 'string') return 'string';
  if (typeof json === 'boolean') return 'bool';
  if (typeof json === 'number' || typeof json === 'bigint') return isInteger(json) ? 'int64' : 'float64';
  return Array.isArray(json) ? '[]interface {}' : 'map[string]interface {}';
}

function fail(message: string): never {
  throw new EvaluationError(message);
}

const PRESERVED = opaqueType('unknown');

/** Content that a schema preserves without declaring it: expressions can only compare it. */
class PreservedValue extends OpaqueValue {
  readonly type = PRESERVED;
  readonly json: Json;

  constructor(json: Json) {
    super();
    this.json = json;
  }

  equals(other: Value): boolean {
    return other instanceof PreservedValue && equalJson(this.json, other.json);
  }
}
