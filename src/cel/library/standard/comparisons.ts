// `==`, `!=`, `<`, `<=`, `>` and `>=`.

import { OPERATORS } from '../../syntax/operators.ts';
import { BOOL, BYTES, DOUBLE, DURATION, INT, parameter, STRING, TIMESTAMP, type Type, UINT } from '../../types/type.ts';
import { compare, type Order } from '../../value/comparison.ts';
import { equal, surelyEqual } from '../../value/equality.ts';
import { OpaqueValue, type Value } from '../../value/value.ts';
import { type FunctionDeclaration, overload } from '../library.ts';
import { estimateSmaller, smallerCost } from './traversal.ts';

const ANY_VALUE = parameter('A');

/** The comparable types, in the order and by the names in which overloads are declared. */
const COMPARABLE: readonly (readonly [name: string, left: Type<unknown>, right: Type<unknown>])[] = [
  ['bool', BOOL, BOOL],
  ['int64', INT, INT],
  ['int64_double', INT, DOUBLE],
  ['int64_uint64', INT, UINT],
  ['uint64', UINT, UINT],
  ['uint64_double', UINT, DOUBLE],
  ['uint64_int64', UINT, INT],
  ['double', DOUBLE, DOUBLE],
  ['double_int64', DOUBLE, INT],
  ['double_uint64', DOUBLE, UINT],
  ['string', STRING, STRING],
  ['bytes', BYTES, BYTES],
  ['timestamp', TIMESTAMP, TIMESTAMP],
  ['duration', DURATION, DURATION],
];

/** The overloads of `<` and its kin that compare numbers of different types, which a language option leaves out. */
export const CROSS_TYPE_COMPARISONS: ReadonlySet<string> = new Set(
  ['less', 'less_equals', 'greater', 'greater_equals'].flatMap((operator) =>
    COMPARABLE.filter(([, left, right]) => left !== right).map(([name]) => `${operator}_${name}`),
  ),
);

function comparison(name: string, id: string, holds: (order: Order) => boolean): FunctionDeclaration {
  return {
    name,
    overloads: COMPARABLE.map(([suffix, left, right]) =>
      overload(`${id}_${suffix}`, [[left, right], BOOL], {
        evaluate: (a, b) => holds(compare(a as Value, b as Value)),
        ...(left === STRING || left === BYTES
          ? { pricesErrors: true, chargedAhead: true, cost: smallerCost, estimate: estimateSmaller }
          : {}),
      }),
    ),
  };
}

export const comparisons: readonly FunctionDeclaration[] = [
  {
    name: OPERATORS.equals,
    overloads: [
      overload('equals', [[ANY_VALUE, ANY_VALUE], BOOL], {
        evaluate: equal,
        pricesErrors: true,
        chargedAhead: true,
        cost: (result, left, right) => (left instanceof OpaqueValue ? 1 : smallerCost(result, left, right)),
        estimate: estimateSmaller,
      }),
    ],
  },
  {
    name: OPERATORS.notEquals,
    overloads: [
      overload('not_equals', [[ANY_VALUE, ANY_VALUE], BOOL], {
        evaluate: (left, right) => !surelyEqual(left, right),
        pricesErrors: true,
        chargedAhead: true,
        cost: smallerCost,
        estimate: estimateSmaller,
      }),
    ],
  },
  comparison(OPERATORS.less, 'less', (order) => order < 0),
  comparison(OPERATORS.lessEquals, 'less_equals', (order) => order <= 0),
  comparison(OPERATORS.greater, 'greater', (order) => order > 0),
  comparison(OPERATORS.greaterEquals, 'greater_equals', (order) => order >= 0),
];
