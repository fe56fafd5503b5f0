// Errors of calls whose operands match no overload, whose wording in cel-go depends on the implementation of the
// function.

import { lookup } from '../../base/lookup.ts';
import { OPERATORS } from '../syntax/operators.ts';
import type { TypeKind } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { runtimeType } from '../value/runtime-type.ts';
import type { Value } from '../value/value.ts';

const NUMBERS: readonly TypeKind[] = ['double', 'int', 'uint'];
const TIMES: readonly TypeKind[] = ['duration', 'timestamp'];
const ORDERED: ReadonlySet<TypeKind> = new Set([...NUMBERS, ...TIMES, 'bool', 'bytes', 'string']);

/** The types of the first operand for which the error is about the others. */
const FIRST_OPERANDS: Readonly<Record<string, ReadonlySet<TypeKind>>> = lookup({
  [OPERATORS.add]: new Set([...NUMBERS, ...TIMES, 'bytes', 'list', 'string']),
  [OPERATORS.subtract]: new Set([...NUMBERS, ...TIMES]),
  [OPERATORS.multiply]: new Set(NUMBERS),
  [OPERATORS.divide]: new Set(NUMBERS),
  [OPERATORS.modulo]: new Set(['int', 'uint']),
  [OPERATORS.negate]: new Set(['bool', 'double', 'duration', 'int']),
  [OPERATORS.less]: ORDERED,
  [OPERATORS.lessEquals]: ORDERED,
  [OPERATORS.greater]: ORDERED,
  [OPERATORS.greaterEquals]: ORDERED,
  size: new Set(['bytes', 'list', 'map', 'string']),
  matches: new Set(['string']),
});

/** Types that answer any call themselves, by refusing it. */
const RECEIVERS: ReadonlySet<TypeKind> = new Set(['duration', 'string', 'timestamp']);

const UNNAMED: ReadonlySet<string> = new Set([
  OPERATORS.in,
  OPERATORS.not,
  OPERATORS.and,
  OPERATORS.or,
  OPERATORS.conditional,
  'contains',
  'endsWith',
  'startsWith',
]);

/** Whether a function has one implementation for all its overloads, instead of one for each. */
export function isImplementedOnce(name: string): boolean {
  return UNNAMED.has(name) || FIRST_OPERANDS[name] !== undefined;
}

/** The error of calling a function with operands that it has no overload for. */
export function noSuchOverload(name: string, operands: readonly Value[]): EvaluationError {
  if (UNNAMED.has(name)) return new EvaluationError('no such overload');
  const firstOperands = FIRST_OPERANDS[name];
  if (firstOperands === undefined) {
    const types = operands.map((operand) => runtimeType(operand).name).join(', ');
    return new EvaluationError(`no such overload: ${name}(${types})`);
  }
  const kind = runtimeType(operands[0]!).kind;
  const isAboutOthers = firstOperands.has(kind) || RECEIVERS.has(kind);
  return new EvaluationError(isAboutOthers ? 'no such overload' : `no such overload: ${name}`);
}

/** The error of calling a function that is none. */
export function noSuchFunction(name: string): EvaluationError {
  return new EvaluationError(`no such overload: ${name}`);
}
