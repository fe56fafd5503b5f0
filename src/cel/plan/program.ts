// A program: an expression that can be evaluated any number of times.

import type { CheckedExpression } from '../check/checked-expression.ts';
import type { Declarations } from '../check/declarations.ts';
import type { ParsedExpression } from '../syntax/expression.ts';
import { comparing } from '../value/comparing.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import type { Value } from '../value/value.ts';
import { Frame, type FrameSettings, limitExceeded, type Planned } from './frame.ts';
import { planExpression } from './planner.ts';

/** The values of an expression's variables, by name. One that is undefined is missing. */
export type Variables = Readonly<Record<string, Value>> | ((name: string) => Value | undefined);

export interface ProgramOptions {
  /** The cost limit of one evaluation; unlimited by default. */
  readonly costLimit?: number;
  /** The run-time cost of `has()`; 1 by default. */
  readonly presenceTestCost?: 0 | 1;
  /**
   * Whether literals of constants and conversions of them are evaluated during planning, and are free afterwards: like
   * cel-go's OptOptimize. True by default.
   */
  readonly foldConstants?: boolean;
  /** Called occasionally by loops: whether to cancel the evaluation. */
  readonly interrupted?: () => boolean;
}

interface Evaluation {
  readonly value: Value;
  /** In units of cel-go's cost model. */
  readonly cost: number;
}

export class Program {
  readonly #planned: Planned;
  readonly #settings: FrameSettings;

  /**
   * @param declarations the environment that the expression was checked in, or is resolved in if it was not
   * Throws EvaluationError if the evaluation of a constant part fails.
   */
  constructor(
    expression: CheckedExpression | ParsedExpression,
    declarations: Declarations,
    options: ProgramOptions = {},
  ) {
    const { planned, slots } = planExpression(expression, {
      declarations,
      foldConstants: options.foldConstants ?? true,
      presenceTestCost: options.presenceTestCost ?? 1,
    });
    this.#planned = planned;
    const limit = options.costLimit ?? Number.POSITIVE_INFINITY;
    this.#settings = { slots, limit, interrupted: options.interrupted };
  }

  /** Evaluates the expression. Throws EvaluationError and Interruption, which contain the cost until then. */
  evaluate(variables: Variables): Evaluation {
    const frame = new Frame(this.#settings, typeof variables === 'function' ? variables : ownPropertyOf(variables));
    frame.cost = this.#planned.cost;
    const value = comparing.during(this.#settings.limit, () => {
      const result = run(this.#planned, frame);
      frame.charge(0);
      return result;
    });
    if (frame.cost > this.#settings.limit) throw limitExceeded(frame.cost);
    if (value instanceof EvaluationError) throw new EvaluationError(value.message, frame.cost);
    return { value, cost: frame.cost };
  }
}

function run(planned: Planned, frame: Frame) {
  try {
    return planned.step(frame);
  } catch (error) {
    // The stack or the length of a string: JavaScript's own limits, which only evaluations without a budget get to.
    if (error instanceof RangeError) return new EvaluationError('evaluation exceeds the limits of the platform');
    throw error;
  }
}

function ownPropertyOf(variables: Readonly<Record<string, Value>>): (name: string) => Value | undefined {
  return (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
}
