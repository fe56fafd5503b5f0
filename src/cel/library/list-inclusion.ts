// `includes` of Kubernetes' lists library, which came with version 1 of it: whether a list has an item, or a value is
// equal to one.

import { add, exactly, multiply, scale } from '../cost/range.ts';
import { BOOL, DYN } from '../types/type.ts';
import { surelyEqual } from '../value/equality.ts';
import { ListValue, type Value } from '../value/value.ts';
import { TRAVERSAL, WALK } from './call-cost.ts';
import { type CallEstimate, type Library, method, type Operand } from './library.ts';

export const LIST_INCLUSION: Library = Object.freeze({
  name: 'kubernetes.lists.includes',
  functions: [
    {
      name: 'includes',
      cost: WALK,
      overloads: [
        method('list_includes_dyn_dyn', [[DYN, DYN], BOOL], {
          about: 'Whether a list contains an item, or a value is equal to it.',
          evaluate: includes,
          pricesErrors: true,
          cost: WALK,
          estimate,
        }),
      ],
    },
  ],
});

function includes(target: Value, item: Value): boolean {
  if (!(target instanceof ListValue)) return surelyEqual(target, item);
  for (let index = 0; index < target.size; index++) if (surelyEqual(target.at(index), item)) return true;
  return false;
}

/** A value of an unknown type may be a list, whose items are compared one by one. */
function estimate({ size, items }: Operand): CallEstimate {
  const isText = items?.type.kind === 'string' || items?.type.kind === 'bytes';
  const item = items !== undefined && isText ? add(exactly(1), scale(items.size, TRAVERSAL)) : exactly(1);
  return { cost: multiply(size, item) };
}
