// Filters of jq: what an expression is compiled to. A filter produces any number of values from one, when they are asked
// for.

import { isObject } from '../../../api/is-object.ts';
import { equalJson } from '../../../api/json-equal.ts';
import type { Json } from '../../../api/object.ts';
import { ownMember } from '../../../api/own-member.ts';
import { lookup } from '../../../base/lookup.ts';
import type { Budget } from '../budget.ts';
import { JqError } from './error.ts';
import { ARITHMETIC, compare, described, isTrue, membersOf, typeOf } from './values.ts';

/** What filters need besides their input. */
export interface JqRun {
  readonly budget: Budget;
  readonly nowMs: number;
  readonly variables: ReadonlyMap<string, Json>;
}

export type Filter = (input: Json, run: JqRun) => Iterable<Json>;

export const identity: Filter = (input) => [input];

export function literal(value: Json): Filter {
  return () => [value];
}

/** A filter with exactly one result. */
export function single(compute: (input: Json, run: JqRun) => Json): Filter {
  return (input, run) => {
    run.budget.spend();
    return [compute(input, run)];
  };
}

export function pipe(first: Filter, second: Filter): Filter {
  return function* (input, run) {
    for (const value of first(input, run)) {
      run.budget.spend();
      yield* second(value, run);
    }
  };
}

export function comma(first: Filter, second: Filter): Filter {
  return function* (input, run) {
    yield* first(input, run);
    yield* second(input, run);
  };
}

/** What is taken of each value of a term; with `?`, without what fails. Indexes are of the input, not of the term. */
export interface Suffix {
  readonly of: Filter;
  readonly isOptional: boolean;
}

export function indexed(suffix: Suffix, index: Filter): Filter {
  return suffixed(suffix, function* (value, { input, run }) {
    for (const key of index(input, run)) yield itemAt(value, key);
  });
}

export function sliced(suffix: Suffix, from: Filter, to: Filter): Filter {
  return suffixed(suffix, function* (value, { input, run }) {
    for (const end of to(input, run)) {
      for (const start of from(input, run)) yield sliceOf(value, [start, end], run.budget);
    }
  });
}

export function iterated(suffix: Suffix): Filter {
  return suffixed(suffix, (value, { run }) => itemsOf(value, run.budget));
}

interface Outer {
  readonly input: Json;
  readonly run: JqRun;
}

function suffixed({ of, isOptional }: Suffix, take: (value: Json, outer: Outer) => Iterable<Json>): Filter {
  return function* (input, run) {
    for (const value of of(input, run)) {
      run.budget.spend();
      if (isOptional) yield* attempted(() => take(value, { input, run }))(input, run);
      else yield* take(value, { input, run });
    }
  };
}

/** The items of an array, or the values of an object in the order of their names. @throws JqError */
export function itemsOf(value: Json, budget: Budget): Json[] {
  if (Array.isArray(value)) {
    budget.spend(value.length);
    return value;
  }
  if (!isObject(value)) throw new JqError(`cannot iterate over ${described(value)}`);
  return membersOf(value, budget).map(([, member]) => member);
}

/** Without what fails; `caught` instead, for the message. */
export function attempted(body: Filter, caught?: Filter): Filter {
  return function* (input, run) {
    try {
      yield* body(input, run);
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      if (caught !== undefined) yield* caught(error.message, run);
    }
  };
}

/** What is true of the first, otherwise the second. */
export function alternative(first: Filter, second: Filter): Filter {
  const truths: Filter = attempted(function* (input, run) {
    for (const value of first(input, run)) if (isTrue(value)) yield value;
  });
  return function* (input, run) {
    let isFound = false;
    for (const value of truths(input, run)) {
      isFound = true;
      yield value;
    }
    if (!isFound) yield* second(input, run);
  };
}

/** @param decides the value of the left side that decides alone */
export function logical(left: Filter, right: Filter, decides: boolean): Filter {
  return function* (input, run) {
    for (const one of left(input, run)) {
      run.budget.spend();
      if (isTrue(one) === decides) yield decides;
      else for (const other of right(input, run)) yield isTrue(other);
    }
  };
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = lookup({
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
});

/** An operator with two operands. The right one varies in the outer loop, as in jq. */
export function binary(operator: string, left: Filter, right: Filter): Filter {
  const compute = operation(operator);
  return function* (input, run) {
    for (const other of right(input, run)) {
      for (const one of left(input, run)) {
        run.budget.spend();
        yield compute(one, other, run.budget);
      }
    }
  };
}

function operation(operator: string): (one: Json, other: Json, budget: Budget) => Json {
  if (operator === '==') return (one, other, budget) => isEqual(one, other, budget);
  if (operator === '!=') return (one, other, budget) => !isEqual(one, other, budget);
  const holds = COMPARISONS[operator];
  if (holds !== undefined) return (one, other, budget) => holds(compare(one, other, budget));
  return ARITHMETIC[operator]!;
}

function isEqual(one: Json, other: Json, budget: Budget): boolean {
  if (typeOf(one) === 'number' && typeOf(other) === 'number') return Number(one) === Number(other);
  return typeof one === 'object' || typeof other === 'object'
    ? compare(one, other, budget) === 0
    : equalJson(one, other);
}

export function conditional(condition: Filter, yes: Filter, no: Filter): Filter {
  return function* (input, run) {
    for (const value of condition(input, run)) {
      run.budget.spend();
      yield* (isTrue(value) ? yes : no)(input, run);
    }
  };
}

/** `source as $name | body` */
export function bound(source: Filter, name: string, body: Filter): Filter {
  return function* (input, run) {
    for (const value of source(input, run)) yield* body(input, withVariable(run, name, value));
  };
}

export function reduced(source: Filter, name: string, { initial, update }: Folding): Filter {
  return function* (input, run) {
    for (let state of initial(input, run)) {
      for (const value of source(input, run)) {
        let next: Json = null;
        for (const result of update(state, withVariable(run, name, value))) next = result;
        state = next;
      }
      yield state;
    }
  };
}

interface Folding {
  readonly initial: Filter;
  readonly update: Filter;
}

function withVariable(run: JqRun, name: string, value: Json): JqRun {
  run.budget.spend(1 + run.variables.size);
  return { ...run, variables: new Map(run.variables).set(name, value) };
}

export function variable(name: string): Filter {
  return (_input, { variables }) => [variables.get(name) ?? null];
}

export function collected(items: Filter): Filter {
  return single((input, run) => {
    const list: Json[] = [];
    for (const item of items(input, run)) {
      run.budget.spend();
      list.push(item);
    }
    return list;
  });
}

/** An object for each combination of what the filters of its members give. */
export function constructed(members: readonly { readonly name: Filter; readonly value: Filter }[]): Filter {
  const from = function* (input: Json, run: JqRun, index: number): Generator<[string, Json][]> {
    const member = members[index];
    if (member === undefined) {
      yield [];
      return;
    }
    for (const name of member.name(input, run)) {
      if (typeof name !== 'string') throw new JqError(`an object cannot have the key ${described(name)}`);
      for (const value of member.value(input, run)) {
        for (const rest of from(input, run, index + 1)) {
          run.budget.spend(members.length - index);
          yield [[name, value], ...rest];
        }
      }
    }
  };
  return function* (input, run) {
    for (const entries of from(input, run, 0)) yield Object.fromEntries(entries);
  };
}

/** What is at an index of an array or a key of an object; null if nothing is. @throws JqError */
export function itemAt(value: Json, key: Json): Json {
  if (value === null && (typeof key === 'string' || typeOf(key) === 'number' || key === null)) return null;
  if (isObject(value) && typeof key === 'string') return ownMember(value, key) ?? null;
  if (Array.isArray(value) && typeOf(key) === 'number') return value.at(Math.floor(Number(key))) ?? null;
  const index = typeof key === 'string' ? `key ${JSON.stringify(key)}` : described(key);
  throw new JqError(`cannot index ${described(value)} with ${index}`);
}

function sliceOf(value: Json, bounds: readonly [Json, Json], budget: Budget): Json {
  const [from, to] = bounds.map((bound) => {
    if (bound !== null && typeOf(bound) !== 'number') throw new JqError(`cannot slice with ${described(bound)}`);
    return bound === null ? undefined : Number(bound);
  });
  const ends: [number | undefined, number | undefined] = [
    from === undefined ? undefined : Math.floor(from),
    to === undefined ? undefined : Math.ceil(to),
  ];
  if (value === null) return null;
  if (Array.isArray(value)) {
    budget.spend(value.length);
    return value.slice(...ends);
  }
  if (typeof value !== 'string') throw new JqError(`cannot slice ${described(value)}`);
  budget.spend(value.length);
  return [...value].slice(...ends).join('');
}
