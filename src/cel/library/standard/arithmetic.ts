// `+`, `-`, `*`, `/`, `%` and negation: of numbers, with overflow errors, of timestamps and durations, and `+` of
// strings, bytes and lists.

import { add, exactly } from '../../cost/range.ts';
import { OPERATORS } from '../../syntax/operators.ts';
import { BYTES, DOUBLE, DURATION, INT, listOf, parameter, STRING, TIMESTAMP, UINT } from '../../types/type.ts';
import { concatenate } from '../../value/concatenation.ts';
import { addDurations, subtractDurations } from '../../value/duration.ts';
import {
  addInt,
  addUint,
  divideInt,
  divideUint,
  moduloInt,
  moduloUint,
  multiplyInt,
  multiplyUint,
  negateInt,
  subtractInt,
  subtractUint,
} from '../../value/int.ts';
import { sizeOf } from '../../value/size.ts';
import { addToTimestamp, subtractFromTimestamp, timeBetween } from '../../value/timestamp.ts';
import { Double } from '../../value/value.ts';
import { type CallEstimate, type FunctionDeclaration, type Operand, overload } from '../library.ts';
import { estimateTraversal, traversal } from './traversal.ts';

const LIST = listOf(parameter('A'));

function bothSizes(_result: unknown, left: unknown, right: unknown): number {
  return traversal(sizeOf(left) + sizeOf(right));
}

function estimateBothSizes(left: Operand, right: Operand): CallEstimate {
  const resultSize = add(left.size, right.size);
  return { cost: estimateTraversal(resultSize), resultSize };
}

function concatenateBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}

const addition: FunctionDeclaration = {
  name: OPERATORS.add,
  overloads: [
    overload('add_bytes', [[BYTES, BYTES], BYTES], {
      evaluate: concatenateBytes,
      pricesErrors: true,
      chargedAhead: true,
      cost: bothSizes,
      estimate: estimateBothSizes,
    }),
    overload('add_double', [[DOUBLE, DOUBLE], DOUBLE], {
      evaluate: (left, right) => new Double(left.value + right.value),
    }),
    overload('add_duration_duration', [[DURATION, DURATION], DURATION], { evaluate: addDurations }),
    overload('add_duration_timestamp', [[DURATION, TIMESTAMP], TIMESTAMP], {
      evaluate: (duration, timestamp) => addToTimestamp(timestamp, duration),
    }),
    overload('add_timestamp_duration', [[TIMESTAMP, DURATION], TIMESTAMP], { evaluate: addToTimestamp }),
    overload('add_int64', [[INT, INT], INT], { evaluate: addInt }),
    overload('add_list', [[LIST, LIST], LIST], {
      evaluate: concatenate,
      estimate: (left, right) => ({ cost: exactly(1), resultSize: add(left.size, right.size) }),
    }),
    overload('add_string', [[STRING, STRING], STRING], {
      evaluate: (left, right) => left + right,
      pricesErrors: true,
      chargedAhead: true,
      cost: bothSizes,
      estimate: estimateBothSizes,
    }),
    overload('add_uint64', [[UINT, UINT], UINT], { evaluate: addUint }),
  ],
};

const subtraction: FunctionDeclaration = {
  name: OPERATORS.subtract,
  overloads: [
    overload('subtract_double', [[DOUBLE, DOUBLE], DOUBLE], {
      evaluate: (left, right) => new Double(left.value - right.value),
    }),
    overload('subtract_duration_duration', [[DURATION, DURATION], DURATION], { evaluate: subtractDurations }),
    overload('subtract_int64', [[INT, INT], INT], { evaluate: subtractInt }),
    overload('subtract_timestamp_duration', [[TIMESTAMP, DURATION], TIMESTAMP], { evaluate: subtractFromTimestamp }),
    overload('subtract_timestamp_timestamp', [[TIMESTAMP, TIMESTAMP], DURATION], { evaluate: timeBetween }),
    overload('subtract_uint64', [[UINT, UINT], UINT], { evaluate: subtractUint }),
  ],
};

export const arithmetic: readonly FunctionDeclaration[] = [
  addition,
  {
    name: OPERATORS.divide,
    overloads: [
      overload('divide_double', [[DOUBLE, DOUBLE], DOUBLE], {
        evaluate: (left, right) => new Double(left.value / right.value),
      }),
      overload('divide_int64', [[INT, INT], INT], { evaluate: divideInt }),
      overload('divide_uint64', [[UINT, UINT], UINT], { evaluate: divideUint }),
    ],
  },
  {
    name: OPERATORS.modulo,
    overloads: [
      overload('modulo_int64', [[INT, INT], INT], { evaluate: moduloInt }),
      overload('modulo_uint64', [[UINT, UINT], UINT], { evaluate: moduloUint }),
    ],
  },
  {
    name: OPERATORS.multiply,
    overloads: [
      overload('multiply_double', [[DOUBLE, DOUBLE], DOUBLE], {
        evaluate: (left, right) => new Double(left.value * right.value),
      }),
      overload('multiply_int64', [[INT, INT], INT], { evaluate: multiplyInt }),
      overload('multiply_uint64', [[UINT, UINT], UINT], { evaluate: multiplyUint }),
    ],
  },
  {
    name: OPERATORS.negate,
    overloads: [
      overload('negate_double', [[DOUBLE], DOUBLE], { evaluate: (operand) => new Double(-operand.value) }),
      overload('negate_int64', [[INT], INT], { evaluate: negateInt }),
    ],
  },
  subtraction,
];
