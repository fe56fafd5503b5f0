// Value of a literal in an expression.

import type { Literal } from '../syntax/expression.ts';
import { canonicalInt } from './int.ts';
import { Double, Uint, type Value } from './value.ts';

export function literalValue(literal: Literal): Value {
  switch (literal.type) {
    case 'int':
      return canonicalInt(literal.value);
    case 'uint':
      return new Uint(canonicalInt(literal.value));
    case 'double':
      return new Double(literal.value);
    default:
      return literal.value;
  }
}
