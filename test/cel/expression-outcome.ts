// Outcome of an expression in test tables: its value as JSON, or its error, and its costs.

import type { SizeEstimator } from '../../src/cel/cost/size-estimator.ts';
import type { Environment } from '../../src/cel/environment.ts';
import type { Program, ProgramOptions, Variables } from '../../src/cel/plan/program.ts';
import { issuesText } from '../../src/cel/syntax/issue-text.ts';
import { EvaluationError } from '../../src/cel/value/evaluation-error.ts';
import { runtimeType } from '../../src/cel/value/runtime-type.ts';
import { doubleText } from '../../src/cel/value/text.ts';
import { Double, ListValue, MapValue, Optional, Uint, type Value } from '../../src/cel/value/value.ts';

export interface Outcome {
  /** Integers as text, unsigned ones with the suffix `u`, doubles with `d`; optionals as `{ some }` or `none`. */
  readonly value?: unknown;
  readonly cost?: number;
  readonly error?: string;
  /** Why no program can be created from a checked expression. */
  readonly program?: string;
  /** The errors of the text. */
  readonly compile?: string;
  /** The minimum and maximum estimated cost of the expression. */
  readonly estimate?: readonly [min: Amount, max: Amount];
}

type Amount = number | 'unknown';

export interface Setting extends ProgramOptions {
  readonly environment: Environment;
  readonly variables?: Variables;
  readonly sizes?: SizeEstimator;
}

export function outcomeOf(expression: string, { environment, variables, sizes, ...options }: Setting): Outcome {
  const { checked, source, issues } = environment.compile(expression);
  if (checked === undefined) return { compile: issuesText(source, issues) };
  const { min, max } = environment.estimate(checked, sizes);
  const estimate = [amount(min), amount(max)] as const;
  let program: Program;
  try {
    program = environment.program(checked, options);
  } catch (error) {
    return { estimate, program: messageOf(error) };
  }
  try {
    const { value, cost } = program.evaluate(variables ?? {});
    return { estimate, value: asJson(value), cost };
  } catch (error) {
    return { estimate, error: messageOf(error), cost: (error as EvaluationError).cost };
  }
}

function amount(cost: number): Amount {
  return cost > Number.MAX_SAFE_INTEGER ? 'unknown' : cost;
}

function messageOf(error: unknown): string {
  if (error instanceof EvaluationError) return error.message;
  throw error;
}

function asJson(value: Value): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return `${doubleText(value.value)}d`;
  if (value instanceof Optional) return value.value === undefined ? 'none' : { some: asJson(value.value) };
  if (value instanceof ListValue) return Array.from({ length: value.size }, (_, index) => asJson(value.at(index)));
  if (value instanceof MapValue) {
    return Object.fromEntries(value.keys().map((key) => [asJson(key), asJson(value.get(key) as Value)]));
  }
  return `<${runtimeType(value).name}>`;
}
