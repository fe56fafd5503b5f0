// Budget of an evaluation: the steps that expressions and templates of users may take, so that none of them keeps the
// event loop or fills the memory.

import { limits } from '../../base/limits.ts';

/** An expression or a template that takes more steps than it may, or makes longer text. */
export class BudgetError extends Error {
  override name = 'BudgetError';
}

/** Characters of a text that cost as much as one step. */
const CHARACTERS_PER_STEP = 32;

export class Budget {
  #left: number;
  #depth = 0;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Steps that are left; negative if there were too few. */
  get left(): number {
    return this.#left;
  }

  /** Pays for work before it is done. @throws BudgetError */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0 || Number.isNaN(this.#left)) throw new BudgetError('too many steps');
  }

  /** Does work within work on a value that contains this one. @throws BudgetError if they are nested too deeply */
  within<T>(work: () => T): T {
    this.#depth++;
    try {
      if (this.#depth > limits.stageValueDepth) throw new BudgetError('a value is nested too deeply');
      return work();
    } finally {
      this.#depth--;
    }
  }

  /** Pays for work on a text of that length. @throws BudgetError */
  spendText(characters: number): void {
    this.spend(Math.ceil(characters / CHARACTERS_PER_STEP));
  }
}
