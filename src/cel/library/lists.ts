// cel-go's lists library: slicing, sorting and so on. Its costs are worst cases, as in cel-go.

import { add, exactly, multiply, type Range, scale, UNBOUNDED } from '../cost/range.ts';
import type { Expression } from '../syntax/expression.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  parameter,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../types/type.ts';
import { ArrayList } from '../value/array-list.ts';
import { compare } from '../value/comparison.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { Membership } from '../value/membership.ts';
import { runtimeType } from '../value/runtime-type.ts';
import { sizeOf } from '../value/size.ts';
import { type Int, ListValue, type Value } from '../value/value.ts';
import { bound } from './bindings.ts';
import { TRAVERSAL } from './call-cost.ts';
import { ExpressionBuilder } from './expression-builder.ts';
import {
  type CallEstimate,
  type Library,
  type Macro,
  type MacroCall,
  method,
  type Operand,
  overload,
} from './library.ts';
import { map } from './standard-macros.ts';

const LIST = listOf(parameter('T'));
const ORDERED: readonly Type<unknown>[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];
const RANGE = 'lists.range';
/** The most items of a range from cel-go 0.29 on. */
const MAX_RANGE = 1_000_000;
const SORT_BY_KEYS = '@sortByAssociatedKeys';

/** Of the call and of making a list. */
const CALL_AND_LIST = 11;

/** Costs of a call that makes a list: so much for each of some items. */
function listCost(items: number, factor = 1): number {
  return Math.floor(items * factor) + CALL_AND_LIST;
}

function listEstimate(items: Range, factor = 1): CallEstimate {
  return { cost: add(scale(items, factor), exactly(CALL_AND_LIST)), resultSize: items };
}

const BY_RESULT = (result: ListValue): number => listCost(sizeOf(result));

/** Comparing each item with each; texts cost more. */
const COMPARISONS = 2;

/** Also of a call that failed because its operand is not a list. */
function comparisonCost(list: Value): number {
  const size = sizeOf(list);
  const first = list instanceof ListValue && size > 0 ? list.at(0) : undefined;
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return listCost(size * size, isText ? COMPARISONS + TRAVERSAL : COMPARISONS);
}

function comparisonEstimate(list: Operand, factor: number): CallEstimate {
  return listEstimate(multiply(list.size, list.size), factor);
}

export const LISTS: Library = Object.freeze({
  name: 'lists',
  macros: [{ name: 'sortBy', method: true, arguments: 2, expand: sortBy } satisfies Macro],
  functions: [
    {
      name: 'slice',
      overloads: [
        method('list_slice', [[LIST, INT, INT], LIST], {
          about: 'The items from an index up to another, exclusive.',
          evaluate: slice,
          pricesErrors: true,
          cost: BY_RESULT,
          estimate: (list, start, end) => listEstimate(sliceSize(list, start, end)),
        }),
      ],
    },
    {
      name: 'flatten',
      overloads: [
        method('list_flatten', [[listOf(LIST)], LIST], {
          about: 'The items of the lists in a list.',
          unguarded: true,
          evaluate: (list) => flatten(list),
          pricesErrors: true,
          cost: (_result, list) => listCost(sizeOf(list)),
          estimate: (list) => listEstimate(list.size),
        }),
        method('list_flatten_int', [[listOf(DYN), INT], listOf(DYN)], {
          about: 'The same, for the given number of levels.',
          unguarded: true,
          evaluate: (list, depth) => flatten(list, depth),
          pricesErrors: true,
          cost: (_result, list, depth) => listCost(sizeOf(list), Number(depth)),
          estimate: (list, depth) => listEstimate(list.size, wholeNumber(depth, UNBOUNDED)),
        }),
      ],
    },
    {
      name: 'sort',
      overloads: ORDERED.map((type) =>
        method(`list_${type.name}_sort`, [[listOf(type)], listOf(type)], {
          about: 'The items in their order.',
          evaluate: (list) => sortByKeys(list, list),
          cost: (_result, list) => comparisonCost(list),
          estimate: (list) => comparisonEstimate(list, comparisonFactor(type)),
        }),
      ),
    },
    {
      name: SORT_BY_KEYS,
      overloads: ORDERED.map((type) =>
        method(`list_${type.name}_sortByAssociatedKeys`, [[LIST, listOf(type)], LIST], {
          evaluate: sortByKeys,
          cost: (_result, _list, keys) => comparisonCost(keys),
          estimate: (_list, keys) => comparisonEstimate(keys as Operand, comparisonFactor(type)),
        }),
      ),
    },
    rangeFunction((end) => new NumberRange(Number(end))),
    {
      name: 'reverse',
      overloads: [
        method('list_reverse', [[LIST], LIST], {
          about: 'The items in reverse order.',
          evaluate: (list) => new ArrayList(itemsOf(list).reverse()),
          pricesErrors: true,
          cost: BY_RESULT,
          estimate: (list) => listEstimate(list.size),
        }),
      ],
    },
    {
      name: 'distinct',
      overloads: [
        method('list_distinct', [[LIST], LIST], {
          about: 'The items without duplicates.',
          evaluate: distinct,
          cost: (_result, list) => comparisonCost(list),
          estimate: (list) => comparisonEstimate(list, COMPARISONS),
        }),
      ],
    },
  ],
});

/** The library as cel-go 0.29 has it: a range has a limit, and is never of less than no items. */
export const BOUNDED_LISTS: Library = Object.freeze({
  ...LISTS,
  functions: LISTS.functions.map((each) => (each.name === RANGE ? rangeFunction(boundedRange) : each)),
});

function rangeFunction(evaluate: (end: Int) => ListValue): Library['functions'][number] {
  return {
    name: RANGE,
    overloads: [
      overload('lists_range', [[INT], listOf(INT)], {
        about: 'The integers from 0 up to another, exclusive.',
        evaluate,
        pricesErrors: true,
        cost: BY_RESULT,
        estimate: (end) => listEstimate(exactly(wholeNumber(end, UNBOUNDED))),
      }),
    ],
  };
}

function boundedRange(end: Int): ListValue {
  if (end < 0) throw new EvaluationError(`lists.range: size must be non-negative, got ${end}`);
  if (end > MAX_RANGE) {
    throw new EvaluationError(`lists.range: size ${end} exceeds maximum allowed (${MAX_RANGE})`);
  }
  return new NumberRange(Number(end));
}

function comparisonFactor(type: Type<unknown>): number {
  return type === STRING || type === BYTES ? COMPARISONS + TRAVERSAL : COMPARISONS;
}

/** The numbers from 0 on; they are not made before they are looked at, since there may be very many. */
class NumberRange extends ListValue {
  readonly size: number;

  constructor(end: number) {
    super();
    this.size = Math.max(end, 0);
  }

  at(index: number): Value {
    return index;
  }
}

function itemsOf(list: ListValue): Value[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

function slice(list: ListValue, start: Int, end: Int): ListValue {
  if (start < 0 || end < 0) {
    throw new EvaluationError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  }
  if (start > end) {
    throw new EvaluationError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  }
  if (list.size < end) {
    throw new EvaluationError(`cannot slice(${start}, ${end}), list is length ${list.size}`);
  }
  const first = Number(start);
  return new ArrayList(Array.from({ length: Number(end) - first }, (_, index) => list.at(first + index)));
}

function sliceSize(list: Operand, start: Operand | undefined, end: Operand | undefined): Range {
  const size = wholeNumber(end, list.size.max) - wholeNumber(start, 0);
  return exactly(size < 0 ? UNBOUNDED : size);
}

/** Returns a literal int, 0 if negative; the default if the operand is not a literal. */
function wholeNumber(operand: Operand | undefined, otherwise: number): number {
  const literal = operand?.literal;
  return literal?.type === 'int' ? Math.max(Number(literal.value), 0) : otherwise;
}

/** Lists that are already flat are returned unchanged, so operands may have any type. */
function flatten(list: Value, depth?: Value): ListValue {
  const isDepth = depth === undefined || typeof depth === 'number' || typeof depth === 'bigint';
  if (!(list instanceof ListValue) || !isDepth) {
    const operand = depth === undefined ? '' : runtimeType(depth).name;
    throw new EvaluationError(`no such overload: ${runtimeType(list).name}.flatten(${operand})`);
  }
  const levels = Number(depth ?? 1);
  if (levels < 0) {
    throw new EvaluationError('level must be non-negative');
  }
  const items: Value[] = [];
  appendFlat(items, list, levels);
  return new ArrayList(items);
}

function appendFlat(items: Value[], list: ListValue, depth: number): void {
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    if (depth > 0 && item instanceof ListValue) {
      appendFlat(items, item, depth - 1);
    } else {
      items.push(item);
    }
  }
}

/** A list in the order of the keys of its items; of items with equal keys the first stays first. */
function sortByKeys(list: ListValue, keys: ListValue): ListValue {
  if (list.size !== keys.size) {
    throw new EvaluationError(
      `${SORT_BY_KEYS}() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) {
    return list;
  }
  const keyed = Array.from({ length: list.size }, (_, index) => ({ key: keys.at(index), item: list.at(index) }));
  const type = runtimeType(keys.at(0));
  if (!ORDERED.some((ordered) => ordered.name === type.name)) {
    throw new EvaluationError('list elements must be comparable');
  }
  if (keyed.some(({ key }) => runtimeType(key).name !== type.name)) {
    throw new EvaluationError('list elements must have the same type');
  }
  keyed.sort((left, right) => order(left.key, right.key));
  return new ArrayList(keyed.map(({ item }) => item));
}

/** Values without an order, such as NaN, count as equal. */
function order(left: Value, right: Value): number {
  try {
    return compare(left, right);
  } catch (error) {
    if (error instanceof EvaluationError) {
      return 0;
    }
    throw error;
  }
}

function distinct(list: ListValue): ListValue {
  const seen = new Membership();
  const items: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    if (!seen.has(item)) {
      seen.add(item);
      items.push(item);
    }
  }
  return new ArrayList(items);
}

/** `list.sortBy(item, key)`: binds the list to a name, and sorts it by the result of `map`. */
function sortBy(macro: MacroCall): Expression {
  const target = macro.target as Expression;
  if (target.kind === 'constant' || target.kind === 'map' || target.kind === 'struct') {
    macro.fail('sortBy can only be applied to a list, identifier, comprehension, call or select expression', target);
  }
  const build = new ExpressionBuilder(macro);
  const name = '@__sortBy_input__';
  const keys = map({ ...macro, target: build.name(name) });
  const expression = build.method(build.name(name), SORT_BY_KEYS, keys);
  return bound(build, { name, value: () => target, expression });
}
