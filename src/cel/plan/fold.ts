// Comprehensions. Those that the standard macros make are recognized and run as the loops they stand for, at the cost
// that cel-go counts for their accumulators; any other is run as it is written.

import { ArrayList } from '../value/array-list.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { runtimeType } from '../value/runtime-type.ts';
import { ListValue, MapValue, type Value } from '../value/value.ts';
import { asResult, type Frame, type Planned, type Result, type Step } from './frame.ts';
import { errorOf } from './logic.ts';

/** Where a comprehension's range comes from and where its variables go. */
export interface Loop {
  readonly range: Planned;
  /** The slot of the item, a map's key, or with two variables the index or key. */
  readonly item: number;
  /** The slot of the second variable. */
  readonly second: number | undefined;
}

/** Looks at the current item; whether to go on. */
type Visit = (frame: Frame, isLast: boolean) => boolean;

/**
 * Runs through the range. Gives an error where there is none, else undefined.
 * @param visit is called for each item with the slots filled
 */
function iterate(frame: Frame, loop: Loop, visit: Visit): EvaluationError | undefined {
  const range = loop.range.step(frame);
  if (range instanceof ListValue) {
    const { slots } = frame;
    const { size } = range;
    for (let i = 0; i < size; i++) {
      if (loop.second === undefined) {
        slots[loop.item] = itemOf(range, i);
      } else {
        slots[loop.item] = i;
        slots[loop.second] = itemOf(range, i);
      }
      if (!visit(frame, i === size - 1)) break;
    }
    return undefined;
  }
  if (range instanceof MapValue) return iterateMap(frame, loop, { map: range, visit });
  if (range instanceof EvaluationError) return range;
  return loop.second === undefined
    ? new EvaluationError(`got '${goType(range)}', expected iterable type`)
    : new EvaluationError(`unsupported comprehension range type: ${goType(range)}`);
}

/** What cel-go calls the implementation of a value's type. */
function goType(value: Value): string {
  const { kind } = runtimeType(value);
  return `types.${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}

function iterateMap(frame: Frame, loop: Loop, { map, visit }: { map: MapValue; visit: Visit }): undefined {
  const keys = map.keys();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    frame.slots[loop.item] = key;
    if (loop.second !== undefined) frame.slots[loop.second] = valueAt(map, key);
    if (!visit(frame, i === keys.length - 1)) break;
  }
  return undefined;
}

/** Lists may fail to read an item. */
function itemOf(list: ListValue, index: number): Result {
  try {
    return list.at(index);
  } catch (error) {
    return asResult(error);
  }
}

function valueAt(map: MapValue, key: Value): Result {
  try {
    return map.get(key)!;
  } catch (error) {
    return asResult(error);
  }
}

/**
 * `all` (which false decides) and `exists` (which true does). Each item costs the look at the accumulator in the
 * condition, its use in the step, and the predicate; the result is one more look.
 */
export function planQuantifier(loop: Loop, predicate: Planned, deciding: boolean): Planned {
  const conditionCost = deciding ? 3 : 2;
  const itemCost = conditionCost + 1 + predicate.cost;
  const test = predicate.step;
  return {
    cost: loop.range.cost + 1,
    step: (frame) => {
      let verdict: Result = !deciding;
      const failed = iterate(frame, loop, (_, isLast) => {
        frame.iterate(itemCost);
        const result = test(frame);
        if (result === deciding) {
          verdict = deciding;
          if (!isLast) frame.cost += conditionCost;
          return false;
        }
        if (result !== !deciding && verdict === !deciding) verdict = errorOf(result);
        return true;
      });
      return failed === undefined ? verdict : refunded(frame, 1, failed);
    },
  };
}

function refunded(frame: Frame, cost: number, result: Result): Result {
  frame.cost -= cost;
  return result;
}

/** `exists_one`: items that pass cost two more, for counting them, and so does looking at the count. */
export function planExistsOne(loop: Loop, predicate: Planned): Planned {
  const itemCost = predicate.cost;
  const test = predicate.step;
  return {
    cost: loop.range.cost + 2,
    step: (frame) => {
      let count = 0;
      let error: EvaluationError | undefined;
      const failed = iterate(frame, loop, () => {
        frame.iterate(itemCost);
        const result = test(frame);
        if (result === true) {
          count++;
          frame.cost += 2;
        } else if (result !== false) {
          error = errorOf(result);
        }
        return true;
      });
      return failed === undefined ? (error ?? count === 1) : refunded(frame, 2, failed);
    },
  };
}

/** What a loop that makes a list does with its items. */
export interface Collection {
  /** Which items are taken; all where it is not told. */
  readonly filter: Planned | undefined;
  /** What is made of an item. */
  readonly item: Planned;
  /** What adding an item costs besides evaluating it. */
  readonly cost: number;
  /** What making the empty list costs. */
  readonly initialCost: number;
}

/** `map` and `filter`, and their like of two variables. An error does not end the loop: cel-go goes on, and the costs too. */
export function planCollection(loop: Loop, { filter, item, cost, initialCost }: Collection): Planned {
  const takeCost = item.cost + cost;
  const make = item.step;
  return {
    cost: loop.range.cost + initialCost + 1,
    step: (frame) => {
      const items: Value[] = [];
      let error: EvaluationError | undefined;
      const failed = iterate(frame, loop, () => {
        if (filter === undefined) {
          frame.iterate(takeCost);
        } else {
          frame.iterate(filter.cost);
          const passes = filter.step(frame);
          if (passes !== true) {
            if (passes !== false) error = errorOf(passes);
            return true;
          }
          frame.cost += takeCost;
        }
        const result = make(frame);
        if (!(result instanceof EvaluationError)) items.push(result);
        else error ??= result;
        return true;
      });
      if (failed !== undefined) return refunded(frame, initialCost + 1, failed);
      return error ?? new ArrayList(items);
    },
  };
}

/** The parts of a comprehension that is run as it is written. */
export interface GeneralFold {
  readonly condition: Planned;
  readonly step: Planned;
  readonly result: Planned;
  /** The slot of the accumulator, which is made when it is first looked at. */
  readonly accumulator: number;
}

/** Any comprehension. */
export function planGeneralFold(loop: Loop, { condition, step, result, accumulator }: GeneralFold): Planned {
  return {
    cost: loop.range.cost,
    step: (frame) => {
      frame.slots[accumulator] = undefined;
      const failed = iterate(frame, loop, () => {
        frame.iterate(condition.cost);
        const goesOn = condition.step(frame);
        if (typeof goesOn === 'boolean' && !goesOn) return false;
        frame.cost += step.cost;
        frame.slots[accumulator] = step.step(frame);
        return true;
      });
      if (failed !== undefined) return failed;
      frame.cost += result.cost;
      return result.step(frame);
    },
  };
}

/** An accumulator: it is evaluated when it is first looked at, and charged then. */
export function accumulatorStep(slot: number, initial: Planned): Step {
  return (frame) => {
    const value = frame.slots[slot];
    if (value !== undefined) return value;
    frame.cost += initial.cost;
    const made = initial.step(frame);
    frame.slots[slot] = made;
    return made;
  };
}
