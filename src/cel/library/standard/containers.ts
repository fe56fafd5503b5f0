// Operators of lists and maps: indexing, `in` and size, the last of which strings and bytes have too.

import { OPERATORS } from '../../syntax/operators.ts';
import { BOOL, BYTES, INT, listOf, mapOf, parameter, STRING, type Type } from '../../types/type.ts';
import { equal, surelyEqual } from '../../value/equality.ts';
import { EvaluationError } from '../../value/evaluation-error.ts';
import { itemAt, valueAt } from '../../value/lookup.ts';
import { countOf, sizeOf } from '../../value/size.ts';
import type { ListValue, Value } from '../../value/value.ts';
import { type FunctionDeclaration, method, overload } from '../library.ts';

const A = parameter('A');
const B = parameter('B');
const LIST = listOf(A);
const MAP = mapOf(A, B);

const SIZED: readonly (readonly [name: string, type: Type<unknown>])[] = [
  ['bytes', BYTES],
  ['list', LIST],
  ['map', MAP],
  ['string', STRING],
];

function isIn(item: Value, list: ListValue): boolean {
  if (list.comparesOnlyAlike === true) return isAmongAlike(item, list);
  for (let i = 0; i < list.size; i++) {
    if (surelyEqual(item, list.at(i))) return true;
  }
  return false;
}

/** An incomparable item is an error, unless the value is found. */
function isAmongAlike(item: Value, list: ListValue): boolean {
  let fault: EvaluationError | undefined;
  for (let i = 0; i < list.size; i++) {
    try {
      if (equal(list.at(i), item)) return true;
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      fault ??= error;
    }
  }
  if (fault !== undefined) throw fault;
  return false;
}

export const containers: readonly FunctionDeclaration[] = [
  {
    name: OPERATORS.index,
    overloads: [
      overload('index_list', [[LIST, INT], A], { evaluate: itemAt }),
      overload('index_map', [[MAP, A], B], { evaluate: valueAt }),
    ],
  },
  {
    name: OPERATORS.in,
    overloads: [
      overload('in_list', [[A, LIST], BOOL], {
        evaluate: isIn,
        pricesErrors: true,
        chargedAhead: true,
        cost: (_result, _item, list) => sizeOf(list),
        estimate: (_item, list) => ({ cost: list.size }),
      }),
      overload('in_map', [[A, MAP], BOOL], { evaluate: (key, map) => map.get(key) !== undefined }),
    ],
  },
  {
    name: 'size',
    overloads: SIZED.flatMap(([name, type]) => [
      overload(`size_${name}`, [[type], INT], { evaluate: (operand) => countOf(operand as Value)! }),
      method(`${name}_size`, [[type], INT], { evaluate: (operand) => countOf(operand as Value)! }),
    ]),
  },
];
