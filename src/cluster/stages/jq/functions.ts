// Functions of jq: those without arguments that are computed from a value, and those whose arguments are filters.

import { isObject } from '../../../api/is-object.ts';
import { equalJson } from '../../../api/json-equal.ts';
import type { Json } from '../../../api/object.ts';
import { ownMember } from '../../../api/own-member.ts';
import { lookup } from '../../../base/lookup.ts';
import { JqError, JqSyntaxError } from './error.ts';
import {
  collected,
  conditional,
  type Filter,
  identity,
  itemAt,
  itemsOf,
  type JqRun,
  literal,
  pipe,
  single,
} from './filters.ts';
import { KEYED_FUNCTIONS } from './keyed-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { VALUE_FUNCTIONS } from './value-functions.ts';
import { compare, described, isTrue, numberIn, typeOf } from './values.ts';

type Make = (...given: readonly Filter[]) => Filter;

const empty: Filter = () => [];

/** By name and number of arguments. */
const FILTERS: Readonly<Record<string, Make>> = lookup({
  'empty/0': () => empty,
  'error/0': () =>
    single((input) => {
      throw new JqError(typeof input === 'string' ? input : described(input));
    }),
  'error/1': (message) => pipe(message!, FILTERS['error/0']!()),
  'select/1': (condition) => conditional(condition!, identity, empty),
  'values/0': () => chosen((value) => value !== null),
  'nulls/0': () => chosen((value) => value === null),
  'booleans/0': () => chosen((value) => typeof value === 'boolean'),
  'numbers/0': () => chosen((value) => typeOf(value) === 'number'),
  'strings/0': () => chosen((value) => typeof value === 'string'),
  'arrays/0': () => chosen(Array.isArray),
  'objects/0': () => chosen(isObject),
  'iterables/0': () => chosen((value) => Array.isArray(value) || isObject(value)),
  'scalars/0': () => chosen((value) => !(Array.isArray(value) || isObject(value))),
  'map/1': (change) => collected(pipe(items, change!)),
  'map_values/1': (change) =>
    single((input, run) => {
      const first = (value: Json) => firstOf(change!(value, run));
      if (Array.isArray(input)) return itemsOf(input, run.budget).flatMap((item) => first(item));
      if (!isObject(input)) throw new JqError(`cannot iterate over ${described(input)}`);
      const members = Object.entries(input) as [string, Json][];
      return Object.fromEntries(members.flatMap(([name, value]) => first(value).map((next) => [name, next] as const)));
    }),
  'recurse/0': () => everyValue,
  'first/1': (source) => (input, run) => firstOf(source!(input, run)),
  'last/1': (source) =>
    function* (input, run) {
      let last: [] | [Json] = [];
      for (const value of source!(input, run)) last = [value];
      yield* last;
    },
  'limit/2': (count, source) =>
    function* (input, run) {
      for (const limit of count!(input, run)) {
        let left = numberIn(limit);
        if (left <= 0) continue;
        for (const value of source!(input, run)) {
          yield value;
          if (--left <= 0) break;
        }
      }
    },
  'nth/1': (index) => withArgument(index!, (input, at) => itemAt(input, numberIn(at))),
  'nth/2': (index, source) =>
    withArgument(index!, (input, at, run) => {
      let left = numberIn(at);
      for (const value of source!(input, run)) if (left-- === 0) return value;
      return null;
    }),
  'any/0': () => quantified(items, identity, true),
  'all/0': () => quantified(items, identity, false),
  'any/1': (condition) => quantified(items, condition!, true),
  'all/1': (condition) => quantified(items, condition!, false),
  'any/2': (source, condition) => quantified(source!, condition!, true),
  'all/2': (source, condition) => quantified(source!, condition!, false),
  'isempty/1': (source) => single((input, run) => firstOf(source!(input, run)).length === 0),
  'add/1': (source) => pipe(collected(source!), call('add', [])),
  'range/1': (end) => ranged(literal(0), end!, literal(1)),
  'range/2': (start, end) => ranged(start!, end!, literal(1)),
  'range/3': (start, end, step) => ranged(start!, end!, step!),
  'with_entries/1': (change) =>
    pipe(call('to_entries', []), pipe(collected(pipe(items, change!)), call('from_entries', []))),
  'has/1': (key) => withArgument(key!, (input, name) => hasKey(input, name)),
  'in/1': (of) => withArgument(of!, (input, object) => hasKey(object, input)),
  'inside/1': (of) => withArgument(of!, (input, outer, run) => contains(outer, input, run)),
  'contains/1': (part) => withArgument(part!, (input, inner, run) => contains(input, inner, run)),
  'index/1': (key) => withArgument(key!, (input, text) => indexOf(input, text, 'indexOf')),
  'rindex/1': (key) => withArgument(key!, (input, text) => indexOf(input, text, 'lastIndexOf')),
  'IN/1': (source) =>
    single((input, run) => {
      for (const value of source!(input, run)) if (compare(input, value, run.budget) === 0) return true;
      return false;
    }),
});

/** The filter that calls a function. @throws JqSyntaxError for an unknown one */
export function call(name: string, given: readonly Filter[]): Filter {
  const key = `${name}/${given.length}`;
  const make = Object.hasOwn(FILTERS, key) ? FILTERS[key] : undefined;
  if (make !== undefined) return make(...given);
  const compute = Object.hasOwn(VALUE_FUNCTIONS, key) ? VALUE_FUNCTIONS[key] : undefined;
  if (compute !== undefined) return single(compute);
  const ofKeys = Object.hasOwn(KEYED_FUNCTIONS, key) ? KEYED_FUNCTIONS[key] : undefined;
  if (ofKeys !== undefined) return single((input, run) => ofKeys(keyed(input, given[0]!, run), run.budget));
  const ofText = Object.hasOwn(TEXT_FUNCTIONS, key) ? TEXT_FUNCTIONS[key] : undefined;
  if (ofText !== undefined) return withArguments(given, ofText);
  throw new JqSyntaxError(`function ${key} is not defined`);
}

/** The items of an array, each with what the filter gives for it. */
function keyed(input: Json, key: Filter, run: JqRun) {
  if (!Array.isArray(input)) throw new JqError(`${described(input)} is not an array`);
  return itemsOf(input, run.budget).map((item) => ({ item, key: [...key(item, run)] }));
}

/** A function of values, for each combination of what its arguments give. */
function withArguments(given: readonly Filter[], compute: (input: Json, given: Json[], run: JqRun) => Json): Filter {
  const [first, ...rest] = given;
  if (first === undefined) return single((input, run) => compute(input, [], run));
  return function* (input, run) {
    for (const value of first(input, run)) {
      run.budget.spend();
      yield* withArguments(rest, (of, others) => compute(of, [value, ...others], run))(input, run);
    }
  };
}

const items: Filter = (input, { budget }) => itemsOf(input, budget);

/** A value and all values in it, each before those in it. */
const everyValue: Filter = function* (input, { budget }) {
  const waiting = [input];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    budget.spend();
    yield value;
    if (Array.isArray(value) || isObject(value)) waiting.push(...itemsOf(value, budget).toReversed());
  }
};

function chosen(isMeant: (value: Json) => boolean): Filter {
  return (input) => (isMeant(input) ? [input] : []);
}

function firstOf(values: Iterable<Json>): [] | [Json] {
  for (const value of values) return [value];
  return [];
}

/** @param decides the value that decides alone */
function quantified(source: Filter, condition: Filter, decides: boolean): Filter {
  return single((input, run) => {
    for (const value of source(input, run)) {
      for (const result of condition(value, run)) {
        run.budget.spend();
        if (isTrue(result) === decides) return decides;
      }
    }
    return !decides;
  });
}

function ranged(start: Filter, end: Filter, step: Filter): Filter {
  return function* (input, run) {
    for (const from of start(input, run)) {
      for (const to of end(input, run)) {
        for (const by of step(input, run)) {
          const [first, last, width] = [numberIn(from), numberIn(to), numberIn(by)];
          if (width === 0) continue;
          for (let value = first; width > 0 ? value < last : value > last; value += width) {
            run.budget.spend();
            yield value;
          }
        }
      }
    }
  };
}

function withArgument(argument: Filter, compute: (input: Json, given: Json, run: JqRun) => Json): Filter {
  return function* (input, run) {
    for (const given of argument(input, run)) {
      run.budget.spend();
      yield compute(input, given, run);
    }
  };
}

function hasKey(value: Json, key: Json): boolean {
  if (isObject(value) && typeof key === 'string') return ownMember(value, key) !== undefined;
  if (Array.isArray(value) && typeOf(key) === 'number') return Number(key) >= 0 && Number(key) < value.length;
  throw new JqError(`cannot check whether ${described(value)} has ${described(key)}`);
}

/** Whether a value contains another one: a part of a text, items or members that contain those of the other. */
function contains(whole: Json, part: Json, run: JqRun): boolean {
  const { budget } = run;
  budget.spend();
  if (isObject(whole) && isObject(part)) {
    return Object.entries(part).every(([name, value]) => {
      const member = ownMember(whole, name);
      return member !== undefined && budget.within(() => contains(member, value!, run));
    });
  }
  if (Array.isArray(whole) && Array.isArray(part)) {
    return part.every((item) =>
      whole.some((each) => typeOf(each) === typeOf(item) && budget.within(() => contains(each, item, run))),
    );
  }
  if (typeof whole === 'string' && typeof part === 'string') {
    budget.spendText(whole.length);
    return whole.includes(part);
  }
  if (typeOf(whole) === typeOf(part)) return compare(whole, part, budget) === 0;
  throw new JqError(`${described(whole)} cannot contain ${described(part)}`);
}

function indexOf(value: Json, part: Json, find: 'indexOf' | 'lastIndexOf'): Json {
  if (value === null) return null;
  if (Array.isArray(value) && !Array.isArray(part)) {
    const index = value[find === 'indexOf' ? 'findIndex' : 'findLastIndex']((item) => equalJson(item, part));
    return index < 0 ? null : index;
  }
  if (typeof value !== 'string' || typeof part !== 'string') {
    throw new JqError(`cannot find ${described(part)} in ${described(value)}`);
  }
  const at = value[find](part);
  return at < 0 || part === '' ? null : [...value.slice(0, at)].length;
}
