// An expression compiled for what it is to answer.

import type { CheckedExpression } from '../cel/check/checked-expression.ts';
import type { SizeEstimator } from '../cel/cost/size-estimator.ts';
import type { Environment } from '../cel/environment.ts';
import type { Program } from '../cel/plan/program.ts';
import type { Issue } from '../cel/syntax/expression.ts';
import { issuesText } from '../cel/syntax/issue-text.ts';
import type { Type } from '../cel/types/type.ts';
import { typeText } from '../cel/types/type-text.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { MAX_EVALUATION_COST } from './environments.ts';

export type CompiledExpression =
  | {
      readonly checked: CheckedExpression;
      readonly program: Program;
      /** The most that one evaluation is estimated to cost. */
      readonly maxCost: number;
      readonly fault?: undefined;
    }
  | {
      readonly fault: string;
      /** What of the fault has a place in the text. */
      readonly issues?: readonly Issue[];
      /** Whether the expression is right and only cannot be made ready to run. */
      readonly isInternal?: boolean;
    };

interface CompileOptions {
  /** The types that the expression may answer with; any unless told otherwise. */
  readonly results?: readonly Type<unknown>[];
  /** How large the values of its variables can be. */
  readonly sizes?: SizeEstimator;
}

/** Compiles an expression, or says what is wrong with it. */
export function compileExpression(
  environment: Environment,
  text: string,
  { results = [], sizes }: CompileOptions = {},
): CompiledExpression {
  const { checked, source, issues } = environment.compile(text);
  if (checked === undefined) return { fault: `compilation failed: ${issuesText(source, issues)}`, issues };
  const own = typeText(checked.type);
  const lawful = results.map(typeText);
  if (lawful.length > 0 && !lawful.includes(own)) {
    // Of several they are told by the names that they have as values.
    const wanted = lawful.length === 1 ? lawful[0] : `one of [${results.map(({ name }) => name).join(' ')}]`;
    return { fault: `must evaluate to ${wanted} but got ${own}` };
  }
  try {
    const program = environment.program(checked, { costLimit: MAX_EVALUATION_COST });
    return { checked, program, maxCost: environment.estimate(checked, sizes).max };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { fault: `program instantiation failed: ${error.message}`, isInternal: true };
  }
}
