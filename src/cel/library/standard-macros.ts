// The standard macros: `has`, and comprehensions with one variable. Their trees are those of cel-go, because costs
// depend on their form.

import type { Expression } from '../syntax/expression.ts';
import { OPERATORS } from '../syntax/operators.ts';
import { ExpressionBuilder, refuseAccumulator, variableName } from './expression-builder.ts';
import type { Macro, MacroCall } from './library.ts';

/** The expressions of a fold over its accumulator; `predicate` is the macro's last operand. */
export type FoldParts = (
  build: ExpressionBuilder,
  predicate: Expression,
) => {
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
};

/** Whether all items match: ends at the first that does not, and absorbs errors as `&&` does. */
export const ALL: FoldParts = (build, predicate) => ({
  initial: build.bool(true),
  condition: build.call(OPERATORS.notStrictlyFalse, build.accumulator()),
  step: build.call(OPERATORS.and, build.accumulator(), predicate),
  result: build.accumulator(),
});

/** Whether an item matches: ends at the first that does, and absorbs errors as `||` does. */
export const EXISTS: FoldParts = (build, predicate) => ({
  initial: build.bool(false),
  condition: build.call(OPERATORS.notStrictlyFalse, build.call(OPERATORS.not, build.accumulator())),
  step: build.call(OPERATORS.or, build.accumulator(), predicate),
  result: build.accumulator(),
});

/** Whether exactly one item matches: evaluates all. */
export const EXISTS_ONE: FoldParts = (build, predicate) => ({
  initial: build.int(0n),
  condition: build.bool(true),
  step: build.call(
    OPERATORS.conditional,
    predicate,
    build.call(OPERATORS.add, build.accumulator(), build.int(1n)),
    build.accumulator(),
  ),
  result: build.call(OPERATORS.equals, build.accumulator(), build.int(1n)),
});

/** Collects `item` of each that passes the filter, if there is one. */
export function collect(build: ExpressionBuilder, item: Expression, filter: Expression | undefined) {
  const initial = build.list();
  const condition = build.bool(true);
  const appended = build.call(OPERATORS.add, build.accumulator(), build.list(item));
  const step =
    filter === undefined ? appended : build.call(OPERATORS.conditional, filter, appended, build.accumulator());
  return { initial, condition, step, result: build.accumulator() };
}

export const STANDARD_MACROS: readonly Macro[] = [
  { name: 'has', method: false, arguments: 1, expand: has },
  quantifier('all', ALL),
  quantifier('exists', EXISTS),
  quantifier('exists_one', EXISTS_ONE),
  { name: 'map', method: true, arguments: 2, expand: map },
  { name: 'map', method: true, arguments: 3, expand: map },
  { name: 'filter', method: true, arguments: 2, expand: filter },
];

function has(macro: MacroCall): Expression {
  const operand = macro.arguments[0] as Expression;
  return operand.kind === 'select'
    ? new ExpressionBuilder(macro).present(operand.operand, operand.field)
    : macro.fail('invalid argument to has() macro', operand);
}

function quantifier(name: string, parts: FoldParts): Macro {
  const expand = (macro: MacroCall): Expression => {
    const [first, predicate] = macro.arguments as [Expression, Expression];
    const variable = iterationVariable(macro, first, 'argument must be a simple name');
    return fold(macro, variable, parts(new ExpressionBuilder(macro), predicate));
  };
  return { name, method: true, arguments: 2, expand };
}

/** `list.map(variable, item)` and `list.map(variable, filter, item)`. */
export function map(macro: MacroCall): Expression {
  const operands = macro.arguments;
  const variable = iterationVariable(macro, operands[0] as Expression, 'argument is not an identifier');
  const item = operands[operands.length - 1] as Expression;
  return fold(
    macro,
    variable,
    collect(new ExpressionBuilder(macro), item, operands.length === 3 ? operands[1] : undefined),
  );
}

function filter(macro: MacroCall): Expression {
  const [item, predicate] = macro.arguments as [Expression, Expression];
  const variable = iterationVariable(macro, item, 'argument is not an identifier');
  return fold(macro, variable, collect(new ExpressionBuilder(macro), item, predicate));
}

function iterationVariable(macro: MacroCall, operand: Expression, message: string): string {
  const name = variableName(macro, operand, message);
  refuseAccumulator(macro, name, operand);
  return name;
}

function fold(macro: MacroCall, variable: string, parts: ReturnType<FoldParts>): Expression {
  const range = macro.target as Expression;
  return new ExpressionBuilder(macro).fold({ range, variable, accumulator: macro.accumulator, ...parts });
}
