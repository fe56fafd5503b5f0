// The outcome of an evaluation: a value or an error, and its cost.

import type { Program, Variables } from '../cel/plan/program.ts';
import { EvaluationError, Interruption } from '../cel/value/evaluation-error.ts';
import type { Value } from '../cel/value/value.ts';

export type Outcome =
  | { readonly value: Value; readonly fault?: undefined }
  | { readonly fault: EvaluationError | Interruption };

/** Evaluates a program. The cost, in units of cel-go's cost model, includes that of failures. */
export function attempt(program: Program, variables: Variables): Outcome & { readonly cost: number } {
  try {
    return program.evaluate(variables);
  } catch (error) {
    if (!(error instanceof EvaluationError) && !(error instanceof Interruption)) throw error;
    return { fault: error, cost: error.cost };
  }
}
