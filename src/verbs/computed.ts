// Computations that can be resumed, as the steps of a write run them: at once for a short object, in slices for a long one.

import { copyingJson, copyJson } from '../api/json-writer.ts';
import type { Json } from '../api/object.ts';
import { resumed } from '../base/resumed.ts';
import type { Turn } from '../base/short-turns.ts';
import type { Soon } from '../base/soon.ts';
import { inTurns, type Steps } from '../base/steps.ts';

/** At once without a turn, otherwise in slices. */
export function computed<Result>(compute: () => Result, turn: Turn | undefined): Soon<Result> {
  return turn === undefined ? compute() : inTurns(computing(compute), turn);
}

/** A computation in steps. */
export function computing<Result>(compute: () => Result): Steps<Result> {
  return resumed(compute, () => performance.now());
}

/** A deep copy of a JSON value: at once without a turn, otherwise in slices. */
export function copied<T>(value: T, turn: Turn | undefined): Soon<T> {
  return turn === undefined ? copyJson(value) : inTurns(copyingJson(value as T & Json), turn);
}
