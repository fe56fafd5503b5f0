// Work as steps: a generator that yields where others may have their turn. The same work is carried out at once where
// it is short, and in short turns where it is long.

import type { Turn } from './short-turns.ts';
import type { Soon } from './soon.ts';

/** Yields say nothing; what counts is that others may go on there. */
export type Steps<Result> = Generator<unknown, Result>;

/** Goes through all steps without a pause. @returns what they return */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Goes through all steps; others have their turn between two. @returns what they return */
export async function inTurns<Result>(steps: Steps<Result>, turn: Turn): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const wait = turn.over();
    if (wait !== undefined) await wait;
  }
}

/** At once without a turn, else in turns. */
export function carriedOut<Result>(steps: Steps<Result>, turn: Turn | undefined): Soon<Result> {
  return turn === undefined ? atOnce(steps) : inTurns(steps, turn);
}

/** What a walk, which can't stop on its way, leaves to be done behind it, in steps. */
export class LeftForLater {
  readonly #left: (() => Steps<void>)[] = [];

  add(work: () => Steps<void>): void {
    this.#left.push(work);
  }

  *steps(): Steps<void> {
    for (const work of this.#left.splice(0)) {
      yield;
      yield* work();
    }
  }
}
