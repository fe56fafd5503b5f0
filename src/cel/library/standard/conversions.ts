// Type conversions: `int('1')`, `string(1.5)`, `timestamp('…')`; `type` and `dyn`.

import { UNBOUNDED } from '../../cost/range.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  parameter,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from '../../types/type.ts';
import { durationIn, formatDuration, parseDuration } from '../../value/duration.ts';
import { EvaluationError } from '../../value/evaluation-error.ts';
import {
  canonicalInt,
  checkedInt,
  checkedUint,
  intOfDouble,
  isInt64,
  isUint64,
  uintOfDouble,
} from '../../value/int.ts';
import { runtimeType } from '../../value/runtime-type.ts';
import { sizeOf } from '../../value/size.ts';
import { doubleText, parseBool, parseDouble, parseInteger } from '../../value/text.ts';
import { checkedTimestamp, formatTimestamp, parseTimestamp } from '../../value/timestamp.ts';
import { Double, Uint } from '../../value/value.ts';
import { type FunctionDeclaration, type Overload, overload } from '../library.ts';
import { estimateTraversal, traversal } from './traversal.ts';

const ANY_VALUE = parameter('A');

function identity<V>(id: string, type: Type<V>): Overload {
  return overload(id, [[type], type], { evaluate: (operand) => operand as V });
}

/** The parsed value, or an error if the text is not a value of the type. */
function parsed<V>(value: V | undefined, type: Type<V>): V {
  return value ?? fail(STRING, type);
}

function fail(from: Type<unknown>, to: Type<unknown>): never {
  throw new EvaluationError(`type conversion error from '${from.name}' to '${to.name}'`);
}

function intOfText(text: string): number | bigint {
  const value = parseInteger(text);
  return value !== undefined && isInt64(value) ? canonicalInt(value) : fail(STRING, INT);
}

function uintOfText(text: string): Uint {
  const value = /^\d+$/.test(text) ? parseInteger(text) : undefined;
  return value !== undefined && isUint64(value) ? new Uint(canonicalInt(value)) : fail(STRING, UINT);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const toBytes: FunctionDeclaration = {
  name: 'bytes',
  overloads: [
    identity('bytes_to_bytes', BYTES),
    overload('string_to_bytes', [[STRING], BYTES], {
      evaluate: (text) => new TextEncoder().encode(text),
      pricesErrors: true,
      chargedAhead: true,
      cost: (_result, text) => traversal(sizeOf(text)),
      estimate: ({ size }) => ({
        cost: estimateTraversal(size),
        resultSize: { min: size.min, max: Math.min(size.max * 4, UNBOUNDED) },
      }),
    }),
  ],
};

const toInt: FunctionDeclaration = {
  name: 'int',
  overloads: [
    identity('int64_to_int64', INT),
    overload('double_to_int64', [[DOUBLE], INT], { evaluate: ({ value }) => intOfDouble(value) }),
    overload('duration_to_int64', [[DURATION], INT], { evaluate: (duration) => durationIn(1n, duration) }),
    overload('string_to_int64', [[STRING], INT], { evaluate: intOfText }),
    overload('timestamp_to_int64', [[TIMESTAMP], INT], { evaluate: ({ seconds }) => seconds }),
    overload('uint64_to_int64', [[UINT], INT], { evaluate: ({ value }) => checkedInt(BigInt(value)) }),
  ],
};

const toText: FunctionDeclaration = {
  name: 'string',
  overloads: [
    identity('string_to_string', STRING),
    overload('bool_to_string', [[BOOL], STRING], { evaluate: String }),
    overload('bytes_to_string', [[BYTES], STRING], {
      evaluate: decodeUtf8,
      pricesErrors: true,
      chargedAhead: true,
      cost: (_result, bytes) => traversal(sizeOf(bytes)),
      estimate: ({ size }) => ({
        cost: estimateTraversal(size),
        resultSize: { min: Math.floor(size.min / 4), max: size.max },
      }),
    }),
    overload('double_to_string', [[DOUBLE], STRING], { evaluate: ({ value }) => doubleText(value) }),
    overload('duration_to_string', [[DURATION], STRING], { evaluate: formatDuration }),
    overload('int64_to_string', [[INT], STRING], { evaluate: String }),
    overload('timestamp_to_string', [[TIMESTAMP], STRING], { evaluate: formatTimestamp }),
    overload('uint64_to_string', [[UINT], STRING], { evaluate: ({ value }) => String(value) }),
  ],
};

export const conversions: readonly FunctionDeclaration[] = [
  {
    name: 'type',
    overloads: [
      overload('type', [[ANY_VALUE], typeOf(ANY_VALUE)], { evaluate: (value) => runtimeType(value) as Type }),
    ],
  },
  {
    name: 'bool',
    overloads: [
      identity('bool_to_bool', BOOL),
      overload('string_to_bool', [[STRING], BOOL], { evaluate: (text) => parsed(parseBool(text), BOOL) }),
    ],
  },
  toBytes,
  {
    name: 'double',
    overloads: [
      identity('double_to_double', DOUBLE),
      overload('int64_to_double', [[INT], DOUBLE], { evaluate: (value) => new Double(Number(value)) }),
      overload('string_to_double', [[STRING], DOUBLE], {
        evaluate: (text) => new Double(parseDouble(text) ?? fail(STRING, DOUBLE)),
      }),
      overload('uint64_to_double', [[UINT], DOUBLE], { evaluate: ({ value }) => new Double(Number(value)) }),
    ],
  },
  {
    name: 'duration',
    overloads: [
      identity('duration_to_duration', DURATION),
      overload('int64_to_duration', [[INT], DURATION], { evaluate: () => fail(INT, DURATION) }),
      overload('string_to_duration', [[STRING], DURATION], {
        evaluate: (text) => parsed(parseDuration(text), DURATION),
      }),
    ],
  },
  {
    name: 'dyn',
    overloads: [overload('to_dyn', [[ANY_VALUE], DYN], { evaluate: (value) => value })],
  },
  toInt,
  toText,
  {
    name: 'timestamp',
    overloads: [
      identity('timestamp_to_timestamp', TIMESTAMP),
      overload('int64_to_timestamp', [[INT], TIMESTAMP], {
        evaluate: (seconds) => checkedTimestamp(Number(seconds), 0),
      }),
      overload('string_to_timestamp', [[STRING], TIMESTAMP], {
        evaluate: (text) => parsed(parseTimestamp(text), TIMESTAMP),
      }),
    ],
  },
  {
    name: 'uint',
    overloads: [
      identity('uint64_to_uint64', UINT),
      overload('double_to_uint64', [[DOUBLE], UINT], { evaluate: ({ value }) => uintOfDouble(value) }),
      overload('int64_to_uint64', [[INT], UINT], { evaluate: (value) => checkedUint(BigInt(value)) }),
      overload('string_to_uint64', [[STRING], UINT], { evaluate: uintOfText }),
    ],
  },
];
