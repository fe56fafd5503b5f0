// A compiled CEL expression with its result type and cost.

import { part } from '../base/resumed.ts';
import type { CheckedExpression } from '../cel/check/checked-expression.ts';
import type { SizeEstimator } from '../cel/cost/size-estimator.ts';
import type { Environment } from '../cel/environment.ts';
import type { Program } from '../cel/plan/program.ts';
import type { Issue } from '../cel/syntax/expression.ts';
import { issuesText } from '../cel/syntax/issue-text.ts';
import type { Type } from '../cel/types/type.ts';
import { declaredTypeText } from '../cel/types/type-text.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { MAX_EVALUATION_COST } from './environments.ts';

export type CompiledExpression =
  | {
      readonly checked: CheckedExpression;
      readonly program: Program;
      /** The estimated maximum cost of an evaluation. */
      readonly maxCost: number;
      readonly fault?: undefined;
    }
  | {
      readonly fault: string;
      /** The errors with a position in the text. */
      readonly issues?: readonly Issue[];
      /** Whether the expression is valid and only cannot be planned. */
      readonly isInternal?: boolean;
    };

interface CompileOptions {
  /** The allowed result types; any by default. */
  readonly results?: readonly Type<unknown>[];
  /** Why a result type is not allowed, in words of its own; found before the expression is planned. */
  readonly refusal?: (type: Type<unknown>) => string | undefined;
  /** The maximum sizes of its variables. */
  readonly sizes?: SizeEstimator;
}

const NOTHING = { checked: undefined, issues: undefined };

/** Compiles an expression, or returns its errors. */
export type CompileExpression = (
  environment: Environment,
  text: string,
  options?: CompileOptions,
) => CompiledExpression;

export const compileExpression: CompileExpression = (environment, text, options = {}) =>
  compileBy((compute) => compute(), { environment, text, options });

/**
 * The same within a computation in parts, in parts. Its result must not be kept from one run of the computation to the
 * next, as that of a cache is: a run with a part less than the one before would take the results of other parts.
 */
export const compileInParts: CompileExpression = (environment, text, options = {}) =>
  part(() => compileBy(part, { environment, text, options }));

interface Compiled {
  readonly environment: Environment;
  readonly text: string;
  readonly options: CompileOptions;
}

function compileBy(
  step: <Result>(compute: () => Result) => Result,
  { environment, text, options: { results = [], refusal, sizes } }: Compiled,
): CompiledExpression {
  const { parsed, source, issues: faults } = step(() => environment.parse(text));
  const { checked, issues = faults } = parsed === undefined ? NOTHING : step(() => environment.check(parsed));
  if (checked === undefined) return { fault: `compilation failed: ${issuesText(source, issues)}`, issues };
  const own = declaredTypeText(checked.type);
  const lawful = results.map(declaredTypeText);
  if (lawful.length > 0 && !lawful.includes(own)) {
    // Several types are named as type values.
    const wanted = lawful.length === 1 ? lawful[0] : `one of [${results.map(({ name }) => name).join(' ')}]`;
    return { fault: `must evaluate to ${wanted} but got ${own}` };
  }
  const refused = refusal?.(checked.type);
  if (refused !== undefined) return { fault: refused };
  try {
    const program = step(() => environment.program(checked, { costLimit: MAX_EVALUATION_COST }));
    return { checked, program, maxCost: step(() => environment.estimate(checked, sizes).max) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { fault: `program instantiation failed: ${error.message}`, isInternal: true };
  }
}
