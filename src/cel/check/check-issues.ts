// The issues that checking an expression finds, in cel-go's words, each with its place in the source.

import type { Issue, NodeId, ParsedExpression } from '../syntax/expression.ts';
import { ERROR, type Type } from '../types/type.ts';
import { typeText } from '../types/type-text.ts';
import type { Unifier } from '../types/unifier.ts';

interface Checked {
  readonly parsed: ParsedExpression;
  readonly unifier: Unifier;
  /** The namespace in which names are looked up. */
  readonly container: string;
}

export class CheckIssues {
  readonly all: Issue[] = [];
  readonly #checked: Checked;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  add(at: NodeId, message: string): void {
    this.all.push({ message, offset: this.#checked.parsed.positions.get(at) });
  }

  mismatch(at: NodeId, expected: Type<unknown>, actual: Type<unknown>): void {
    this.add(at, `expected type '${this.typeText(expected)}' but found '${this.typeText(actual)}'`);
  }

  /** What stands for the type of a name that nothing declares. */
  undeclared(at: NodeId, name: string): Type<unknown> {
    this.add(at, `undeclared reference to '${name}' (in container '${this.#checked.container}')`);
    return ERROR;
  }

  /** A type in messages; what it takes to write it is counted, for it may be very large. */
  typeText(type: Type<unknown>): string {
    this.#checked.unifier.walk(type);
    return typeText(type);
  }
}
