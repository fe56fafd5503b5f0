// Protobuf messages that correspond to CEL values, which expressions can name and create:
// `google.protobuf.Int64Value{value: 1}`, `google.protobuf.Duration{seconds: 10}`.

import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  nullable,
  STRING,
  type StructDescription,
  TIMESTAMP,
  type Type,
  UINT,
} from '../../types/type.ts';
import { ArrayList } from '../../value/array-list.ts';
import { durationOfNanos } from '../../value/duration.ts';
import { EvaluationError } from '../../value/evaluation-error.ts';
import { HashMap } from '../../value/map.ts';
import { checkedTimestamp } from '../../value/timestamp.ts';
import { Double, type Int, ListValue, MapValue, Uint, type Value } from '../../value/value.ts';

const NANOS_PER_SECOND = 1_000_000_000;

type Fields = ReadonlyMap<string, Value>;

function fieldOverflow(field: string, fault: string): EvaluationError {
  return new EvaluationError(`field type conversion error for google.protobuf.${field} value type: ${fault}`);
}

function int32(value: Int, field: string): number {
  if (value < -(2 ** 31) || value >= 2 ** 31) throw fieldOverflow(field, 'integer overflow');
  return Number(value);
}

function uint32(value: Uint, field: string): Uint {
  if (value.value >= 2 ** 32) throw fieldOverflow(field, 'unsigned integer overflow');
  return value;
}

/** A wrapper of one value of a type, by default its zero value. */
function wrapper<V extends Value>(type: Type<V>, initial: V, checked = (value: V): Value => value): StructDescription {
  return {
    type: nullable(type),
    fields: new Map([['value', type]]),
    create: (fields) => checked((fields.get('value') as V | undefined) ?? initial),
  };
}

/** Seconds and nanoseconds of a message. */
function instant(name: string, fields: Fields): readonly [seconds: Int, nanos: number] {
  const seconds = (fields.get('seconds') ?? 0) as Int;
  return [seconds, int32((fields.get('nanos') ?? 0) as Int, `${name}.nanos`)];
}

function duration(fields: Fields): Value {
  const [seconds, nanos] = instant('Duration', fields);
  return durationOfNanos(BigInt(seconds) * BigInt(NANOS_PER_SECOND) + BigInt(nanos));
}

function timestamp(fields: Fields): Value {
  const [seconds, nanos] = instant('Timestamp', fields);
  const carried = Math.floor(nanos / NANOS_PER_SECOND);
  return checkedTimestamp(Number(seconds) + carried, nanos - carried * NANOS_PER_SECOND);
}

/** A value as JSON has it, where all numbers are double. */
function json(value: Value): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return new Double(Number(value));
  if (value instanceof Uint) return new Double(Number(value.value));
  if (value instanceof ListValue) return new ArrayList(Array.from({ length: value.size }, (_, i) => json(value.at(i))));
  if (value instanceof MapValue) return HashMap.of(value.keys().map((key) => [key, json(value.get(key)!)]));
  return value;
}

const INSTANT = { seconds: INT, nanos: INT };
const ANY_VALUE = {
  null_value: INT,
  number_value: DOUBLE,
  string_value: STRING,
  bool_value: BOOL,
  struct_value: mapOf(STRING, DYN),
  list_value: listOf(DYN),
};

/** Of the fields of a value, of which there can be one, the last; null without any. */
function anyValue(fields: Fields): Value {
  const [name, value] = [...fields].at(-1) ?? ['null_value', null];
  return name === 'null_value' || value === null ? null : json(value);
}

function message(
  type: Type<unknown>,
  fields: Readonly<Record<string, Type<unknown>>>,
  create: (fields: Fields) => Value,
): StructDescription {
  return { type, fields: new Map(Object.entries(fields)), create };
}

/** Description by full name. */
export const MESSAGES: ReadonlyMap<string, StructDescription> = new Map(
  Object.entries({
    BoolValue: wrapper(BOOL, false),
    BytesValue: wrapper(BYTES, new Uint8Array()),
    DoubleValue: wrapper(DOUBLE, new Double(0)),
    FloatValue: wrapper(DOUBLE, new Double(0), ({ value }) => new Double(Math.fround(value))),
    Int32Value: wrapper(INT, 0, (value) => int32(value, 'Int32Value.value')),
    Int64Value: wrapper(INT, 0),
    StringValue: wrapper(STRING, ''),
    UInt32Value: wrapper(UINT, new Uint(0), (value) => uint32(value, 'UInt32Value.value')),
    UInt64Value: wrapper(UINT, new Uint(0)),
    Duration: message(DURATION, INSTANT, duration),
    Timestamp: message(TIMESTAMP, INSTANT, timestamp),
    ListValue: message(listOf(DYN), { values: listOf(DYN) }, (fields) =>
      json(fields.get('values') ?? new ArrayList([])),
    ),
    Struct: message(mapOf(STRING, DYN), { fields: mapOf(STRING, DYN) }, (fields) =>
      json(fields.get('fields') ?? HashMap.of([])),
    ),
    Value: message(DYN, ANY_VALUE, anyValue),
  } satisfies Record<string, StructDescription>).map(([name, description]) => [`google.protobuf.${name}`, description]),
);

/** The only member of the only enum. */
export const NULL_VALUE = { name: 'google.protobuf.NullValue.NULL_VALUE', type: INT, value: 0 } as const;
