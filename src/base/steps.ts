// Work in steps: a generator that yields where other work may run. The same work can run at once if it is short, and in
// slices if it is long.

import type { Turn } from './short-turns.ts';
import type { Soon } from './soon.ts';

/** The yielded values are ignored; yields mark where other work may run. */
export type Steps<Result> = Generator<unknown, Result>;

/** What is there already, where steps are asked for. */
export function* inOneStep<Result>(result: Result): Steps<Result> {
  yield* NO_STEPS;
  return result;
}

const NO_STEPS: readonly never[] = [];

/** What `map` makes of each item; a step for each. */
export function* mappingEach<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    yield;
  }
  return results;
}

/** Runs all steps without a pause. @returns their result */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs all steps, with other work in between. @returns their result */
export async function inTurns<Result>(steps: Steps<Result>, turn: Turn): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn.over();
  }
}

/** At once without a turn, or while it lasts; otherwise in slices. */
export function carriedOut<Result>(steps: Steps<Result>, turn: Turn | undefined): Soon<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const wait = turn?.over();
    if (wait !== undefined) return wait.then(() => inTurns(steps, turn as Turn));
  }
}
