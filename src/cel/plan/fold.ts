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

/** Evaluates the range: what the loop runs through, or an error where there is no such thing. */
function open(frame: Frame, loop: Loop): ListValue | EvaluationError {
  const range = loop.range.step(frame);
  if (range instanceof ListValue || range instanceof EvaluationError) return range;
  if (range instanceof MapValue) return loop.second === undefined ? new ArrayList(range.keys()) : new Entries(range);
  return loop.second === undefined
    ? new EvaluationError(`got '${goType(range)}', expected iterable type`)
    : new EvaluationError(`unsupported comprehension range type: ${goType(range)}`);
}

/** The values of a map, each with its key. */
class Entries extends ListValue {
  readonly size: number;
  readonly keys: readonly Value[];
  readonly #map: MapValue;

  constructor(map: MapValue) {
    super();
    this.#map = map;
    this.keys = map.keys();
    this.size = this.keys.length;
  }

  at(index: number): Value {
    return this.#map.get(this.keys[index]!)!;
  }
}

/** Gives the loop's variables their values for one round. */
function fill(frame: Frame, loop: Loop, items: ListValue, index: number): void {
  const item = itemOf(items, index);
  if (loop.second === undefined) {
    frame.slots[loop.item] = item;
  } else {
    frame.slots[loop.item] = items instanceof Entries ? items.keys[index]! : index;
    frame.slots[loop.second] = item;
  }
}

/** Lists and maps may fail to read an item. */
function itemOf(items: ListValue, index: number): Result {
  try {
    return items.at(index);
  } catch (error) {
    return asResult(error);
  }
}

/** What cel-go calls the implementation of a value's type. */
function goType(value: Value): string {
  const { kind } = runtimeType(value);
  return `types.${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
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
    cost: loop.range.cost,
    step: (frame) => {
      const items = open(frame, loop);
      if (items instanceof EvaluationError) return items;
      frame.cost += 1;
      let verdict: Result = !deciding;
      const { size } = items;
      for (let i = 0; i < size; i++) {
        fill(frame, loop, items, i);
        frame.iterate(itemCost);
        const result = test(frame);
        if (result === deciding) {
          if (i < size - 1) frame.cost += conditionCost;
          return deciding;
        }
        if (result !== !deciding && verdict === !deciding) verdict = errorOf(result);
      }
      return verdict;
    },
  };
}

/** `exists_one`: items that pass cost two more, for counting them, and so does looking at the count. */
export function planExistsOne(loop: Loop, predicate: Planned): Planned {
  const itemCost = predicate.cost;
  const test = predicate.step;
  return {
    cost: loop.range.cost,
    step: (frame) => {
      const items = open(frame, loop);
      if (items instanceof EvaluationError) return items;
      frame.cost += 2;
      let count = 0;
      let error: EvaluationError | undefined;
      for (let i = 0; i < items.size; i++) {
        fill(frame, loop, items, i);
        frame.iterate(itemCost);
        const result = test(frame);
        if (result === true) {
          count++;
          frame.cost += 2;
        } else if (result !== false) {
          error = errorOf(result);
        }
      }
      return error ?? count === 1;
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

/** `map` and `filter`, and their like of two variables. An error does not end the loop: cel-go goes on, and the costs. */
export function planCollection(loop: Loop, { filter, item, cost, initialCost }: Collection): Planned {
  const takeCost = item.cost + cost;
  const itemCost = filter === undefined ? 0 : filter.cost;
  return {
    cost: loop.range.cost,
    step: (frame) => {
      const items = open(frame, loop);
      if (items instanceof EvaluationError) return items;
      frame.cost += initialCost + 1;
      const taken: Value[] = [];
      let error: EvaluationError | undefined;
      for (let i = 0; i < items.size; i++) {
        fill(frame, loop, items, i);
        frame.iterate(itemCost);
        const passes = filter === undefined || filter.step(frame);
        if (passes === true) {
          frame.charge(takeCost);
          const result = item.step(frame);
          if (!(result instanceof EvaluationError)) taken.push(result);
          else error ??= result;
        } else if (passes !== false) {
          error = errorOf(passes);
        }
      }
      return error ?? new ArrayList(taken);
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
      const items = open(frame, loop);
      if (items instanceof EvaluationError) return items;
      for (let i = 0; i < items.size; i++) {
        fill(frame, loop, items, i);
        frame.iterate(condition.cost);
        if (condition.step(frame) === false) break;
        frame.cost += step.cost;
        frame.slots[accumulator] = step.step(frame);
      }
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
