// `&&`, `||`, `?:`, `!` and the condition of comprehensions. The planner handles the first three, which do not evaluate
// all their operands; these declarations are for the checker, and for operands that are already evaluated.

import { OPERATORS } from '../../syntax/operators.ts';
import { BOOL, parameter } from '../../types/type.ts';
import { type FunctionDeclaration, overload } from '../library.ts';

const ANY_VALUE = parameter('A');

export const logic: readonly FunctionDeclaration[] = [
  {
    name: OPERATORS.conditional,
    overloads: [
      overload('conditional', [[BOOL, ANY_VALUE, ANY_VALUE], ANY_VALUE], {
        evaluate: (condition, truthy, falsy) => (condition ? truthy : falsy),
      }),
    ],
  },
  {
    name: OPERATORS.and,
    overloads: [overload('logical_and', [[BOOL, BOOL], BOOL], { evaluate: (left, right) => left && right })],
  },
  {
    name: OPERATORS.or,
    overloads: [overload('logical_or', [[BOOL, BOOL], BOOL], { evaluate: (left, right) => left || right })],
  },
  {
    name: OPERATORS.not,
    overloads: [overload('logical_not', [[BOOL], BOOL], { evaluate: (operand) => !operand })],
  },
  {
    name: OPERATORS.notStrictlyFalse,
    overloads: [overload('not_strictly_false', [[BOOL], BOOL], { evaluate: (operand) => operand !== false })],
  },
];
