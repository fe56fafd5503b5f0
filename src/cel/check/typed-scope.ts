// The variables of the comprehensions around a place of an expression, innermost first.

import type { Type } from '../types/type.ts';
import type { Identifier } from './declarations.ts';

export class TypedScope {
  readonly #identifier: Identifier;
  readonly #outer: TypedScope | undefined;

  constructor(name: string, type: Type<unknown>, outer: TypedScope | undefined) {
    this.#identifier = { name, type, value: undefined };
    this.#outer = outer;
  }

  find(name: string): Identifier | undefined {
    return this.#identifier.name === name ? this.#identifier : this.#outer?.find(name);
  }
}
