// Recognition of macros by the form of their comprehension: its accumulator, condition, step and result.

import type { CallExpression, ComprehensionExpression, Expression } from '../syntax/expression.ts';
import { OPERATORS } from '../syntax/operators.ts';

export type FoldShape =
  | { readonly kind: 'all' | 'exists' | 'existsOne'; readonly predicate: Expression }
  | { readonly kind: 'list'; readonly filter: Expression | undefined; readonly item: Expression };

/** The form of a comprehension; undefined if it is not a known one. */
export function foldShape(fold: ComprehensionExpression): FoldShape | undefined {
  const accumulates = (expression: Expression | undefined): boolean =>
    expression?.kind === 'identifier' && expression.name === fold.accumulator;
  const always = fold.condition.kind === 'constant' && fold.condition.literal.value === true;
  if (always && isCall(fold.result, OPERATORS.equals) && accumulates(fold.result.arguments[0])) {
    return existsOneShape(fold, accumulates);
  }
  if (!accumulates(fold.result)) return undefined;
  return always ? collectionShape(fold, accumulates) : quantifierShape(fold, accumulates);
}

type Accumulates = (expression: Expression | undefined) => boolean;

function quantifierShape(fold: ComprehensionExpression, accumulates: Accumulates): FoldShape | undefined {
  const { condition, initial, step } = fold;
  if (initial.kind !== 'constant' || step.kind !== 'call' || !accumulates(step.arguments[0])) return undefined;
  if (!isCall(condition, OPERATORS.notStrictlyFalse)) return undefined;
  const [watched] = condition.arguments;
  const predicate = step.arguments[1]!;
  if (step.function === OPERATORS.and && initial.literal.value === true && accumulates(watched)) {
    return { kind: 'all', predicate };
  }
  const isNegated = isCall(watched, OPERATORS.not) && accumulates(watched.arguments[0]);
  if (step.function === OPERATORS.or && initial.literal.value === false && isNegated) {
    return { kind: 'exists', predicate };
  }
  return undefined;
}

function existsOneShape(fold: ComprehensionExpression, accumulates: Accumulates): FoldShape | undefined {
  const { initial, step, result } = fold;
  if (!isInt(initial, 0n) || !isCall(result, OPERATORS.equals) || !isInt(result.arguments[1], 1n)) return undefined;
  if (!isCall(step, OPERATORS.conditional) || !accumulates(step.arguments[2])) return undefined;
  const [predicate, counted] = step.arguments;
  if (!isCall(counted, OPERATORS.add) || !accumulates(counted.arguments[0])) return undefined;
  return isInt(counted.arguments[1], 1n) ? { kind: 'existsOne', predicate: predicate! } : undefined;
}

function collectionShape(fold: ComprehensionExpression, accumulates: Accumulates): FoldShape | undefined {
  const { initial, step } = fold;
  const isFiltered = isCall(step, OPERATORS.conditional) && accumulates(step.arguments[2]);
  const filter = isFiltered ? step.arguments[0] : undefined;
  const taken = isFiltered ? step.arguments[1] : step;
  if (taken?.kind !== 'call' || !accumulates(taken.arguments[0])) return undefined;
  if (initial.kind !== 'list' || initial.elements.length > 0 || !isCall(taken, OPERATORS.add)) return undefined;
  const added = taken.arguments[1];
  const isOne = added?.kind === 'list' && added.elements.length === 1 && added.optional.length === 0;
  return isOne ? { kind: 'list', filter, item: added.elements[0]! } : undefined;
}

function isCall(expression: Expression | undefined, name: string): expression is CallExpression {
  return expression?.kind === 'call' && expression.function === name && expression.target === undefined;
}

function isInt(expression: Expression | undefined, value: bigint): boolean {
  return expression?.kind === 'constant' && expression.literal.type === 'int' && expression.literal.value === value;
}
