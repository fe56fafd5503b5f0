// Comprehensions. Those of the standard macros are recognized and run as loops, at the cost that cel-go counts for
// their accumulators; any other is run as written.

import { ArrayList } from '../value/array-list.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { runtimeType } from '../value/runtime-type.ts';
import { ListValue, MapValue, type Value } from '../value/value.ts';
import { asResult, type Frame, type Planned, type Result, type Step } from './frame.ts';
import { errorOf } from './logic.ts';

/** The range of a comprehension and the slots of its variables. */
export interface Loop {
  readonly range: Planned;
  /** The slot of the item, a map's key, or with two variables the index or key. */
  readonly item: number;
  /** The slot of the second variable. */
  readonly second: number | undefined;
}

/** The rounds of a loop over one range. */
class Rounds {
  readonly count: number;
  readonly #loop: Loop;
  /** The value of the item, or of the second of two variables, in each iteration. */
  readonly #items: ListValue;
  /** The value of the first of two variables, if it is not the index. */
  readonly #keys: readonly Value[] | undefined;

  constructor(loop: Loop, items: ListValue, keys: readonly Value[] | undefined) {
    this.#loop = loop;
    this.#items = items;
    this.#keys = keys;
    this.count = items.size;
  }

  /** Evaluates the range; an error if it is not iterable. */
  static over(loop: Loop, frame: Frame): Rounds | EvaluationError {
    const range = loop.range.step(frame);
    if (range instanceof EvaluationError) return range;
    if (range instanceof ListValue) return new Rounds(loop, range, undefined);
    if (range instanceof MapValue) {
      const keys = range.keys();
      return new Rounds(loop, loop.second === undefined ? new ArrayList(keys) : new MapItems(range, keys), keys);
    }
    return loop.second === undefined
      ? new EvaluationError(`got '${goType(range)}', expected iterable type`)
      : new EvaluationError(`unsupported comprehension range type: ${goType(range)}`);
  }

  /** Sets the loop's variables for one iteration. */
  begin(frame: Frame, index: number): void {
    const item = itemOf(this.#items, index);
    const { item: first, second } = this.#loop;
    if (second === undefined) {
      frame.slots[first] = item;
    } else {
      frame.slots[first] = this.#keys === undefined ? index : this.#keys[index]!;
      frame.slots[second] = item;
    }
  }
}

/** The values of a map's keys. */
class MapItems extends ListValue {
  readonly size: number;
  readonly #map: MapValue;
  readonly #keys: readonly Value[];

  constructor(map: MapValue, keys: readonly Value[]) {
    super();
    this.#map = map;
    this.#keys = keys;
    this.size = keys.length;
  }

  at(index: number): Value {
    return this.#map.get(this.#keys[index]!)!;
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

/** cel-go's name for the implementation of a value's type. */
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
      const rounds = Rounds.over(loop, frame);
      if (rounds instanceof EvaluationError) return rounds;
      frame.cost += 1;
      let verdict: Result = !deciding;
      for (let i = 0; i < rounds.count; i++) {
        rounds.begin(frame, i);
        frame.iterate(itemCost);
        const result = test(frame);
        if (result === deciding) {
          if (i < rounds.count - 1) frame.cost += conditionCost;
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
      const rounds = Rounds.over(loop, frame);
      if (rounds instanceof EvaluationError) return rounds;
      frame.cost += 2;
      let count = 0;
      let error: EvaluationError | undefined;
      for (let i = 0; i < rounds.count; i++) {
        rounds.begin(frame, i);
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

/** How a loop that builds a list processes its items. */
interface Collection {
  /** Selects items; all by default. */
  readonly filter: Planned | undefined;
  /** Transforms an item. */
  readonly item: Planned;
  /** The cost of appending an item besides evaluating it. */
  readonly cost: number;
  /** The cost of creating the empty list. */
  readonly initialCost: number;
}

/**
 * `map` and `filter`, and their forms with two variables. An error does not end the loop: cel-go continues, at a cost.
 */
export function planCollection(loop: Loop, { filter, item, cost, initialCost }: Collection): Planned {
  const takeCost = item.cost + cost;
  const itemCost = filter === undefined ? 0 : filter.cost;
  return {
    cost: loop.range.cost,
    step: (frame) => {
      const rounds = Rounds.over(loop, frame);
      if (rounds instanceof EvaluationError) return rounds;
      frame.cost += initialCost + 1;
      const taken: Value[] = [];
      let error: EvaluationError | undefined;
      for (let i = 0; i < rounds.count; i++) {
        rounds.begin(frame, i);
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

/** The parts of a comprehension that is executed as written. */
interface GeneralFold {
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
      const rounds = Rounds.over(loop, frame);
      if (rounds instanceof EvaluationError) return rounds;
      for (let i = 0; i < rounds.count; i++) {
        rounds.begin(frame, i);
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
