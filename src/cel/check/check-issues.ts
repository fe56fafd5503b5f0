// Issues found by the type checker, with cel-go's messages and positions.

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

  /** The type of an undeclared name. */
  undeclared(at: NodeId, name: string): Type<unknown> {
    this.add(at, `undeclared reference to '${name}' (in container '${this.#checked.container}')`);
    return ERROR;
  }

  /** A type in messages; its size is limited, because it may be very large. */
  typeText(type: Type<unknown>): string {
    this.#checked.unifier.walk(type);
    return typeText(type);
  }
}
