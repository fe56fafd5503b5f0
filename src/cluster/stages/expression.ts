// Expressions of Stages in either of their languages, jq and CEL: compiled once, evaluated for many objects.

import type { ApiObject, Json } from '../../api/object.ts';
import type { Random } from '../../base/random.ts';
import { compileObjectExpression } from '../../expressions/object-expression.ts';
import type { Budget } from './budget.ts';
import { compileJq, JqError } from './jq/jq.ts';
import type { ExpressionFrom, JqRequirement, MatchExpression } from './stage-objects.ts';

/** One look at an object. */
export interface StageLook {
  readonly object: ApiObject;
  readonly nowMs: number;
  readonly budget: Budget;
  readonly random: Random;
}

/** Whether an object is selected. @throws Error if it cannot be determined; BudgetError */
export type Condition = (look: StageLook) => boolean;

/** The value of an expression for an object; undefined if there is none. @throws like a condition */
export type ValueSource = (look: StageLook) => Json | undefined;

/** @throws Error for an expression that cannot be read */
export function compileCondition(of: MatchExpression): Condition {
  if (of.jq === undefined && of.cel !== undefined && of.key === undefined) {
    const evaluate = celSource(of.cel.expression ?? '');
    return (look) => {
      const value = evaluate(look);
      if (typeof value !== 'boolean') throw new Error('the expression of a selector must evaluate to bool');
      return value;
    };
  }
  return jqCondition(of.jq ?? of);
}

/** @throws Error for an expression that cannot be read */
export function compileSource({ cel, jq, expressionFrom }: ExpressionFrom): ValueSource {
  if (cel !== undefined) return celSource(cel.expression ?? '');
  const results = jqResults(jq?.expression ?? expressionFrom ?? '');
  return (look) => results(look)[0];
}

function jqCondition({ key = '', operator = '', values = [] }: JqRequirement): Condition {
  const results = jqResults(key);
  const isAny = (look: StageLook) => results(look).some((value) => values.includes(comparable(value)));
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) throw new Error(`matchExpressions: values must not be empty for ${operator}`);
      return operator === 'In' ? isAny : (look) => !isAny(look);
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) throw new Error(`matchExpressions: values must be empty for ${operator}`);
      return (look) => results(look).length > 0 === (operator === 'Exists');
    default:
      throw new Error(`matchExpressions: operator ${JSON.stringify(operator)} is not supported`);
  }
}

/** A value as it is compared with texts; what is neither text, number nor truth value equals none. */
function comparable(value: Json): string {
  return typeof value === 'object' ? '' : String(value);
}

/** All results but null; none if the expression fails on the object. */
function jqResults(source: string): (look: StageLook) => Json[] {
  const program = compileJq(source);
  return ({ object, nowMs, budget }) => {
    try {
      return program.run(object, { budget, nowMs }).filter((value) => value !== null);
    } catch (error) {
      if (error instanceof JqError) return [];
      throw error;
    }
  };
}

function celSource(expression: string): ValueSource {
  const evaluate = compileObjectExpression(expression);
  return ({ object, ...moment }) => evaluate(object, moment);
}
