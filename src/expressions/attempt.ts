// An evaluation that may fail, as a value: what an expression says, or why it says nothing, and what that cost.

import type { Program, Variables } from '../cel/plan/program.ts';
import { EvaluationError, Interruption } from '../cel/value/evaluation-error.ts';
import type { Value } from '../cel/value/value.ts';

export type Outcome =
  | { readonly value: Value; readonly fault?: undefined }
  | { readonly fault: EvaluationError | Interruption };

/** Evaluates a program. The cost, in units of cel-go's cost model, is told of failures too. */
export function attempt(program: Program, variables: Variables): Outcome & { readonly cost: number } {
  try {
    return program.evaluate(variables);
  } catch (error) {
    if (!(error instanceof EvaluationError) && !(error instanceof Interruption)) throw error;
    return { fault: error, cost: error.cost };
  }
}
