// Expressions of jq, as far as Stages use them: compiled once, evaluated for many objects. No definitions of functions,
// no assignments, no access to anything but their input and the time.

import type { Json } from '../../../api/object.ts';
import type { Budget } from '../budget.ts';
import { parseJq } from './parser.ts';

export { JqError } from './error.ts';

/** What an evaluation needs besides its input. */
interface JqNeeds {
  readonly budget: Budget;
  readonly nowMs: number;
}

interface JqProgram {
  /** All results for an input, which is not modified. @throws JqError; BudgetError if it takes too many steps */
  run(input: Json, needs: JqNeeds): Json[];
}

/** @throws JqSyntaxError */
export function compileJq(source: string): JqProgram {
  const filter = parseJq(source);
  return {
    run(input, needs) {
      const results: Json[] = [];
      for (const result of filter(input, { ...needs, variables: new Map() })) {
        needs.budget.spend();
        results.push(result);
      }
      return results;
    },
  };
}
