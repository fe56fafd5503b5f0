// What functions of templates are, and how they read their arguments.

import type { Random } from '../../../base/random.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from './error.ts';
import { DataNumber, isMap, typeNameOf, type Value, type ValueMap } from './values.ts';

/** What functions need besides their arguments. */
export interface FunctionNeeds {
  readonly budget: Budget;
  readonly random: Random;
}

/** @throws TemplateError */
export type TemplateFunction = (given: readonly Value[], needs: FunctionNeeds) => Value;

/** A function with a number of arguments that it checks. */
export function taking(least: number, most: number, compute: TemplateFunction): TemplateFunction {
  return (given, needs) => {
    if (given.length < least || given.length > most) {
      const wanted = given.length < least ? `at least ${least}` : `at most ${most}`;
      throw new TemplateError(`wrong number of args: want ${least === most ? least : wanted} got ${given.length}`);
    }
    return compute(given, needs);
  };
}

/** @throws TemplateError for anything else */
export function stringIn(value: Value): string {
  if (typeof value === 'string') return value;
  throw wrongType(value, 'string');
}

export function listIn(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  throw wrongType(value, 'list');
}

export function mapIn(value: Value): ValueMap {
  if (isMap(value)) return value;
  throw wrongType(value, 'map');
}

/** Any value as a number, as sprig converts it: 0 for what is none. */
export function numberFrom(value: Value): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = Number(value instanceof DataNumber ? value.text : typeof value === 'object' ? 0 : (value ?? 0));
  return Number.isFinite(number) ? number : 0;
}

const INTEGER = /^(?:[+-]?\d+(?:\.0*)?|0x[\da-f]+)$/i;

/** Any value as an integer. A text, or a number of the data, that is none is 0, others are truncated, as in sprig. */
export function integerFrom(value: Value): number {
  const text = value instanceof DataNumber ? value.text : value;
  if (typeof text === 'string' && !INTEGER.test(text)) return 0;
  return Math.trunc(numberFrom(value));
}

function wrongType(value: Value, expected: string): TemplateError {
  if (value === undefined) return new TemplateError(`invalid value; expected ${expected}`);
  return new TemplateError(`wrong type for value; expected ${expected}; got ${typeNameOf(value)}`);
}
