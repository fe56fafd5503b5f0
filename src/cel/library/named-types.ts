// Types of a library: their names as values, and the cost of comparing their values.

import { exactly, type Range } from '../cost/range.ts';
import { type Type, type TypeProvider, typeOf } from '../types/type.ts';
import type { Operand } from './library.ts';

/** Types that can be named in an expression: `type(x) == net.IP`. */
export function namedTypes(...types: readonly Type<unknown>[]): TypeProvider {
  const constants = new Map(types.map((type) => [type.name, { type: typeOf(type), value: type }]));
  return { struct: () => undefined, constant: (name) => constants.get(name) };
}

/** For a library's `equality`: the estimated cost of `==` on values of these types is 1, like the actual cost. */
export function equalityAtOneCost(
  ...types: readonly Type<unknown>[]
): ReadonlyMap<string, (left: Operand, right: Operand) => Range> {
  return new Map(types.map((type) => [type.name, () => exactly(1)]));
}
