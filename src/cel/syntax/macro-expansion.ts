// Expansion of macros: looks up the macro of a call and runs it. The reader manages IDs and positions.

import type { Macro, MacroCall } from '../library/library.ts';
import type { CallExpression, Expression, NodeId } from './expression.ts';

/** The accumulator of the standard macros, which no text can name. */
const ACCUMULATOR = '@result';

/** The call fits a macro, but its operands don't. */
export class MacroFault {
  readonly message: string;
  /** The operand that caused the error; the position of the macro if there is none. */
  readonly at: Expression | undefined;
  constructor(message: string, at: Expression | undefined) {
    this.message = message;
    this.at = at;
  }
}

/** Macros by name. */
export class MacroTable {
  readonly #macros: ReadonlyMap<string, readonly Macro[]>;

  constructor(macros: readonly Macro[]) {
    this.#macros = Map.groupBy(macros, ({ name }) => name);
  }

  /** The macro that a call is written as: one for so many operands before one for any, the last of several. */
  find(call: CallExpression): Macro | undefined {
    const named = this.#macros.get(call.function);
    if (named === undefined) {
      return undefined;
    }
    const fitting = named.filter(({ method }) => method === (call.target !== undefined));
    const { length } = call.arguments;
    return (
      fitting.findLast((macro) => macro.arguments === length) ??
      fitting.findLast((macro) => macro.arguments === undefined)
    );
  }
}

/** How an expansion numbers its nodes. */
interface NodeNumbers {
  /** A new id at the place of the macro. */
  readonly fresh: () => NodeId;
  /** A new id at the place of another node. */
  readonly like: (id: NodeId) => NodeId;
}

/** Rewrites a call; undefined leaves it unchanged. */
export function expandMacro(
  macro: Macro,
  call: CallExpression,
  numbers: NodeNumbers,
): Expression | MacroFault | undefined {
  const macroCall: MacroCall = {
    target: call.target,
    arguments: call.arguments,
    nextId: numbers.fresh,
    copy: (expression) => copy(expression, numbers),
    accumulator: ACCUMULATOR,
    fail: (message, at) => {
      throw new MacroFault(message, at);
    },
  };
  try {
    return macro.expand(macroCall);
  } catch (fault) {
    if (fault instanceof MacroFault) {
      return fault;
    }
    throw fault;
  }
}

/** Returns a copy of the expression with new ids, at the same positions. */
function copy(expression: Expression, numbers: NodeNumbers): Expression {
  const again = (part: Expression): Expression => copy(part, numbers);
  const id = numbers.like(expression.id);
  switch (expression.kind) {
    case 'constant':
    case 'identifier':
      return { ...expression, id };
    case 'select':
      return { ...expression, id, operand: again(expression.operand) };
    case 'call': {
      const operands = expression.arguments.map(again);
      return { ...expression, id, arguments: operands, target: expression.target && again(expression.target) };
    }
    case 'list':
      return { ...expression, id, elements: expression.elements.map(again) };
    case 'map': {
      const entries = expression.entries.map((entry) => ({
        ...entry,
        id: numbers.fresh(),
        key: again(entry.key),
        value: again(entry.value),
      }));
      return { ...expression, id, entries };
    }
    case 'struct': {
      const fields = expression.fields.map((field) => ({ ...field, id: numbers.fresh(), value: again(field.value) }));
      return { ...expression, id, fields };
    }
    case 'comprehension':
      return {
        ...expression,
        id,
        range: again(expression.range),
        initial: again(expression.initial),
        condition: again(expression.condition),
        step: again(expression.step),
        result: again(expression.result),
      };
  }
}
