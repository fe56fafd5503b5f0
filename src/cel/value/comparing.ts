// The work of comparisons during one evaluation. cel-go's cost of comparing two lists or maps depends on their sizes, not
// on what is in them, so that a cheap expression could compare whole objects again and again for hours.

import { Interruption } from './evaluation-error.ts';

/** Compared parts of one evaluation that cost nothing beyond what cel-go counts. */
export const FREE_PARTS = 256;
/** The cost of each further one: about as much time as other steps of this cost. */
const PART_COST = 2;

class Comparing {
  /** Values compared, including those within others. */
  parts = 0;
  /** How many may be compared before the evaluation is cancelled. */
  most: number = Number.POSITIVE_INFINITY;

  /** @throws Interruption past the limit, also in the middle of a comparison */
  add(parts: number): void {
    this.parts += parts;
    if (this.parts > this.most) {
      throw new Interruption('operation cancelled: actual cost limit exceeded', this.parts * PART_COST);
    }
  }

  /** Counts for another evaluation, which may run within one. */
  during<Result>(limit: number, evaluate: () => Result): Result {
    const { parts, most } = this;
    this.parts = 0;
    this.most = FREE_PARTS + limit / PART_COST;
    try {
      return evaluate();
    } finally {
      this.parts = parts;
      this.most = most;
    }
  }

  /** The cost of the parts since the last call. */
  takeCost(): number {
    const cost = (this.parts - FREE_PARTS) * PART_COST;
    this.parts = FREE_PARTS;
    return cost;
  }
}

/** Evaluations are synchronous: there is one at a time, or one within another. */
export const comparing = new Comparing();
