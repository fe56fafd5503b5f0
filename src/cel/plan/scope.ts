// Slots of a program's frames: one for each used variable of the environment, and one for each comprehension variable.
// Names are resolved to slots during planning.

import type { Planned } from './frame.ts';

/** A variable of a comprehension. */
export interface Local {
  readonly slot: number;
  /** The initial value of an accumulator; undefined for other slots, which are always set. */
  readonly initial: Planned | undefined;
}

/** The variables that can be seen from some place. */
export class Scope {
  readonly #names: ReadonlyMap<string, Local>;
  readonly #outer: Scope | undefined;

  constructor(names: ReadonlyMap<string, Local>, outer: Scope | undefined) {
    this.#names = names;
    this.#outer = outer;
  }

  find(name: string): Local | undefined {
    return this.#names.get(name) ?? this.#outer?.find(name);
  }
}

export class Slots {
  readonly #variables = new Map<string, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(): number {
    return this.#count++;
  }

  /** The slot of a variable of the environment. */
  variable(name: string): number {
    let slot = this.#variables.get(name);
    if (slot === undefined) {
      slot = this.add();
      this.#variables.set(name, slot);
    }
    return slot;
  }
}
