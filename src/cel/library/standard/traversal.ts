// Cost of traversing a string, bytes or a list, at run time and as an estimate, by cel-go's cost model.

import { type Range, scale } from '../../cost/range.ts';
import { sizeOf } from '../../value/size.ts';
import { TRAVERSAL } from '../call-cost.ts';
import type { CallEstimate, Operand } from '../library.ts';

/** Walking once through so much. */
export function traversal(size: number): number {
  return Math.ceil(size * TRAVERSAL);
}

/** The estimate of walking once through so much. */
export function estimateTraversal(size: Range): Range {
  return scale(size, TRAVERSAL);
}

/** The cost of comparing two operands until they differ: at most the smaller one. */
export function smallerCost(_result: unknown, left: unknown, right: unknown): number {
  return traversal(Math.min(sizeOf(left), sizeOf(right)));
}

/** The estimate of `smallerCost`. */
export function estimateSmaller(left: Operand, right: Operand): CallEstimate {
  const max = Math.min(left.size.max, right.size.max);
  return { cost: estimateTraversal({ min: max > 0 ? 1 : 0, max }) };
}
