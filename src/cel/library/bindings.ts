// `cel.bind(name, value, expression)`: binds a value to a name within an expression.

import type { Expression } from '../syntax/expression.ts';
import { ExpressionBuilder, variableName } from './expression-builder.ts';
import type { Library, MacroCall } from './library.ts';

export const BINDINGS: Library = Object.freeze({
  name: 'bindings',
  functions: [],
  macros: [{ name: 'bind', method: true, arguments: 3, expand: bind }],
});

function bind(macro: MacroCall): Expression | undefined {
  const { target } = macro;
  if (target?.kind !== 'identifier' || target.name !== 'cel') {
    return undefined;
  }
  const [first, value, expression] = macro.arguments as [Expression, Expression, Expression];
  const name = variableName(macro, first, 'cel.bind() variable names must be simple identifiers');
  return bound(new ExpressionBuilder(macro), { name, value: () => value, expression });
}

/** An expression with a bound name: the result of a fold over an empty list that starts with the value. */
export function bound(
  build: ExpressionBuilder,
  binding: { readonly name: string; readonly value: () => Expression; readonly expression: Expression },
): Expression {
  return build.fold({
    range: build.list(),
    variable: '#unused',
    accumulator: binding.name,
    initial: binding.value(),
    condition: build.bool(false),
    step: build.name(binding.name),
    result: binding.expression,
  });
}
