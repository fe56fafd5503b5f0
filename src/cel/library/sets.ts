// cel-go's sets library: lists as sets, ignoring order and duplicates.

import { add, exactly, multiply, scale } from '../cost/range.ts';
import { BOOL, listOf, parameter } from '../types/type.ts';
import { Membership } from '../value/membership.ts';
import { sizeOf } from '../value/size.ts';
import type { ListValue, Value } from '../value/value.ts';
import { type FunctionDeclaration, type Library, type Operand, overload } from './library.ts';

const LIST = listOf(parameter('T'));

export const SETS: Library = Object.freeze({
  name: 'sets',
  functions: [
    set('contains', { about: 'Whether all items of the second list are in the first.', rounds: 1, holds: contains }),
    set('equivalent', {
      about: 'Whether two lists have the same items.',
      rounds: 2,
      holds: (left, right) => contains(left, right) && contains(right, left),
    }),
    set('intersects', { about: 'Whether two lists have an item in common.', rounds: 1, holds: intersects }),
  ],
});

/** A function of two lists that compares each item of one with each of the other so many times. */
function set(
  name: string,
  definition: {
    readonly about: string;
    readonly rounds: number;
    readonly holds: (left: ListValue, right: ListValue) => boolean;
  },
): FunctionDeclaration {
  const { about, rounds, holds } = definition;
  const declared = overload(`list_sets_${name}_list`, [[LIST, LIST], BOOL], {
    about,
    evaluate: holds,
    pricesErrors: true,
    cost: (_result, left, right) => 1 + sizeOf(left) * sizeOf(right) * rounds,
    estimate: (left: Operand, right: Operand) => ({
      cost: add(scale(multiply(left.size, right.size), rounds), exactly(1)),
    }),
  });
  return { name: `sets.${name}`, overloads: [declared] };
}

function contains(list: ListValue, others: ListValue): boolean {
  const items = Membership.of(list);
  return !some(others, (item) => !items.has(item));
}

function intersects(left: ListValue, right: ListValue): boolean {
  const items = Membership.of(right);
  return some(left, (item) => items.has(item));
}

function some(list: ListValue, holds: (item: Value) => boolean): boolean {
  for (let index = 0; index < list.size; index++) {
    if (holds(list.at(index))) {
      return true;
    }
  }
  return false;
}
