// Builder of the nodes that macros expand to, each with a new ID in order of creation.

import type { Expression, MapEntry } from '../syntax/expression.ts';
import type { MacroCall } from './library.ts';

/** A fold as defined by a macro. */
interface Fold {
  readonly range: Expression;
  readonly variable: string;
  readonly variable2?: string;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

export class ExpressionBuilder {
  readonly #macro: MacroCall;

  constructor(macro: MacroCall) {
    this.#macro = macro;
  }

  bool(value: boolean): Expression {
    return { kind: 'constant', id: this.#macro.nextId(), literal: { type: 'bool', value } };
  }

  int(value: bigint): Expression {
    return { kind: 'constant', id: this.#macro.nextId(), literal: { type: 'int', value } };
  }

  name(name: string): Expression {
    return { kind: 'identifier', id: this.#macro.nextId(), name };
  }

  /** The accumulator of the standard macros. */
  accumulator(): Expression {
    return this.name(this.#macro.accumulator);
  }

  call(name: string, ...operands: readonly Expression[]): Expression {
    return { kind: 'call', id: this.#macro.nextId(), function: name, target: undefined, arguments: operands };
  }

  method(target: Expression, name: string, ...operands: readonly Expression[]): Expression {
    return { kind: 'call', id: this.#macro.nextId(), function: name, target, arguments: operands };
  }

  present(operand: Expression, field: string): Expression {
    return { kind: 'select', id: this.#macro.nextId(), operand, field, test: true };
  }

  list(...elements: readonly Expression[]): Expression {
    return { kind: 'list', id: this.#macro.nextId(), elements, optional: [] };
  }

  map(...entries: readonly MapEntry[]): Expression {
    return { kind: 'map', id: this.#macro.nextId(), entries };
  }

  fold(fold: Fold): Expression {
    return { kind: 'comprehension', id: this.#macro.nextId(), variable2: undefined, ...fold };
  }
}

/** The identifier in an operand; otherwise ends the expansion. */
export function variableName(macro: MacroCall, operand: Expression, message: string): string {
  return operand.kind === 'identifier' ? operand.name : macro.fail(message, operand);
}

/** Ends the expansion if a variable has the accumulator's name, the current or the former one. */
export function refuseAccumulator(macro: MacroCall, name: string, at: Expression): void {
  if (name === macro.accumulator || name === '__result__') {
    macro.fail('iteration variable overwrites accumulator variable', at);
  }
}
