// Kubernetes' lists library, in addition to cel-go's library of the same name.

import { add, exactly, multiply, scale } from '../cost/range.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  parameter,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../types/type.ts';
import { compare, type Order } from '../value/comparison.ts';
import { addDurations, Duration } from '../value/duration.ts';
import { surelyEqual } from '../value/equality.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { addInt, addUint } from '../value/int.ts';
import { Double, type Int, type ListValue, Uint, type Value } from '../value/value.ts';
import { TRAVERSAL, WALK } from './call-cost.ts';
import { type CallEstimate, type Library, method, type Operand, type Overload } from './library.ts';

const ORDERED: readonly (readonly [name: string, type: Type<unknown>])[] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];

function walkingEstimate(list: Operand): CallEstimate {
  const { items } = list;
  if (items === undefined) return { cost: scale(list.size, TRAVERSAL) };
  const isText = items.type.kind === 'string' || items.type.kind === 'bytes';
  const item = isText ? add(exactly(1), scale(items.size, TRAVERSAL)) : exactly(1);
  return { cost: multiply(list.size, item) };
}

const COSTS = { pricesErrors: true, cost: WALK, estimate: walkingEstimate };

function isSorted(list: ListValue): boolean {
  for (let index = 1; index < list.size; index++) {
    if (orderOf(list.at(index - 1), list.at(index)) > 0) return false;
  }
  return true;
}

/** Values without an order, such as NaN, count as sorted. */
function orderOf(left: Value, right: Value): Order {
  try {
    return compare(left, right);
  } catch (error) {
    if (error instanceof EvaluationError) return 0;
    throw error;
  }
}

/** The first item less (sign -1) or greater (sign 1) than all others. */
function extreme(list: ListValue, name: 'min' | 'max'): Value {
  if (list.size === 0) throw new EvaluationError(`${name} called on empty list`);
  const sign = name === 'min' ? -1 : 1;
  let found = list.at(0);
  for (let index = 1; index < list.size; index++) {
    const item = list.at(index);
    if (orderOf(item, found) * sign > 0) found = item;
  }
  return found;
}

/** How values of a type are formatted and added. */
interface Addition<V extends Value> {
  readonly is: (value: Value) => value is V;
  readonly plus: (left: V, right: V) => V;
}

const INTS: Addition<Int> = {
  is: (value) => typeof value === 'number' || typeof value === 'bigint',
  plus: addInt,
};
const UINTS: Addition<Uint> = { is: (value) => value instanceof Uint, plus: addUint };
const DOUBLES: Addition<Double> = {
  is: (value) => value instanceof Double,
  plus: (left, right) => new Double(left.value + right.value),
};
const DURATIONS: Addition<Duration> = { is: (value) => value instanceof Duration, plus: addDurations };

/** A list of unknown items may mix types, which cannot be added. */
function sum<V extends Value>(list: ListValue, zero: V, { is, plus }: Addition<V>): V {
  let total = zero;
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    if (!is(item)) throw new EvaluationError('no such overload');
    total = plus(total, item);
  }
  return total;
}

function indexOf(list: ListValue, item: Value): Int {
  for (let index = 0; index < list.size; index++) if (surelyEqual(list.at(index), item)) return index;
  return -1;
}

function lastIndexOf(list: ListValue, item: Value): Int {
  for (let index = list.size - 1; index >= 0; index--) if (surelyEqual(list.at(index), item)) return index;
  return -1;
}

function extremes(name: 'min' | 'max', about: string): readonly Overload[] {
  return ORDERED.map(([type, item]) =>
    method(`list_${type}_${name}_${type}`, [[listOf(item)], item as Type], {
      about,
      evaluate: (list) => extreme(list, name),
      ...COSTS,
    }),
  );
}

const SUM = 'The sum of the items, zero for an empty list.';
const ITEM = parameter('A');

export const KUBERNETES_LISTS: Library = Object.freeze({
  name: 'kubernetes lists',
  functions: [
    {
      name: 'isSorted',
      cost: WALK,
      overloads: ORDERED.map(([type, item]) =>
        method(`list_${type}_is_sorted_bool`, [[listOf(item)], BOOL], {
          about: 'Whether no item is less than the one before it.',
          evaluate: isSorted,
          ...COSTS,
        }),
      ),
    },
    {
      name: 'sum',
      cost: WALK,
      overloads: [
        method('list_int_sum_int', [[listOf(INT)], INT], {
          about: SUM,
          evaluate: (list) => sum<Int>(list, 0, INTS),
          ...COSTS,
        }),
        method('list_uint_sum_uint', [[listOf(UINT)], UINT], {
          about: SUM,
          evaluate: (list) => sum(list, new Uint(0), UINTS),
          ...COSTS,
        }),
        method('list_double_sum_double', [[listOf(DOUBLE)], DOUBLE], {
          about: SUM,
          evaluate: (list) => sum(list, new Double(0), DOUBLES),
          ...COSTS,
        }),
        method('list_duration_sum_duration', [[listOf(DURATION)], DURATION], {
          about: SUM,
          evaluate: (list) => sum(list, new Duration(0, 0), DURATIONS),
          ...COSTS,
        }),
      ],
    },
    { name: 'min', cost: WALK, overloads: extremes('min', 'The smallest item; an error if there is none.') },
    { name: 'max', cost: WALK, overloads: extremes('max', 'The largest item; an error if there is none.') },
    {
      name: 'indexOf',
      cost: WALK,
      overloads: [
        method('list_a_index_of_int', [[listOf(ITEM), ITEM], INT], {
          about: 'The index of the first occurrence of an item, or -1.',
          evaluate: indexOf,
          ...COSTS,
        }),
      ],
    },
    {
      name: 'lastIndexOf',
      cost: WALK,
      overloads: [
        method('list_a_last_index_of_int', [[listOf(ITEM), ITEM], INT], {
          about: 'The index of the last occurrence of an item, or -1.',
          evaluate: lastIndexOf,
          ...COSTS,
        }),
      ],
    },
  ],
});
