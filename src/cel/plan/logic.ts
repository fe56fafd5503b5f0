// `&&` and `||`, which absorb an error on one side if the other side decides.

import { EvaluationError } from '../value/evaluation-error.ts';
import { NO_SUCH_OVERLOAD, type Planned, type Result } from './frame.ts';

/**
 * Plans `&&` (decided by false) or `||` (decided by true). Free but for its operands, of which those after the deciding
 * one are not evaluated.
 */
export function planLogic(left: Planned, right: Planned, deciding: boolean): Planned {
  const leftStep = left.step;
  const rightStep = right.step;
  const rightCost = right.cost;
  return {
    cost: left.cost,
    step: (frame) => {
      const a = leftStep(frame);
      if (a === deciding) return deciding;
      frame.cost += rightCost;
      const b = rightStep(frame);
      if (b === deciding) return deciding;
      if (a === !deciding) return b === !deciding ? b : errorOf(b);
      return errorOf(a);
    },
  };
}

/** The value found instead of a boolean. */
export function errorOf(result: Result): EvaluationError {
  return result instanceof EvaluationError ? result : NO_SUCH_OVERLOAD;
}
