// Functions of sprig that make lists.

import { equalJson } from '../../../api/json-equal.ts';
import { lookup } from '../../../base/lookup.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from './error.ts';
import { integerFrom, listIn, type TemplateFunction, taking } from './function.ts';
import { isTrue, jsonOf, type Value } from './values.ts';

const MOST = Number.POSITIVE_INFINITY;

function ofList(compute: (list: readonly Value[]) => Value): TemplateFunction {
  return taking(1, 1, ([list], { budget }) => compute(copied(list, budget)));
}

const list: TemplateFunction = (given) => [...given];
const append = taking(2, 2, ([values, value], { budget }) => [...copied(values, budget), value]);

const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  append,
  push: append,
  prepend: taking(2, 2, ([values, value], { budget }) => [value, ...copied(values, budget)]),
  first: ofList((values) => values[0]),
  last: ofList((values) => values.at(-1)),
  rest: ofList((values) => values.slice(1)),
  initial: ofList((values) => values.slice(0, -1)),
  reverse: ofList((values) => values.toReversed()),
  compact: ofList((values) => values.filter(isTrue)),
  uniq: taking(1, 1, ([values], { budget }) => {
    const found: Value[] = [];
    for (const value of copied(values, budget)) if (!includes(found, value, budget)) found.push(value);
    return found;
  }),
  without: taking(1, MOST, ([values, ...others], { budget }) =>
    copied(values, budget).filter((value) => !includes(others, value, budget)),
  ),
  has: taking(2, 2, ([value, values], { budget }) => values !== undefined && includes(listIn(values), value, budget)),
  slice: taking(1, 3, ([values, start, end], { budget }) => {
    const all = copied(values, budget);
    const [from, to] = [integerFrom(start), end === undefined ? all.length : integerFrom(end)];
    if (from < 0 || to > all.length || from > to) throw new TemplateError('slice bounds out of range');
    return all.slice(from, to);
  }),
  chunk: taking(2, 2, ([size, values], { budget }) => {
    const all = copied(values, budget);
    const width = Math.max(1, integerFrom(size));
    return Array.from({ length: Math.ceil(all.length / width) }, (_, index) =>
      all.slice(index * width, (index + 1) * width),
    );
  }),
});

export const LIST_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  ...FUNCTIONS,
  ...Object.fromEntries(
    Object.entries(FUNCTIONS).map(([name, call]) => [`must${name[0]!.toUpperCase()}${name.slice(1)}`, call]),
  ),
  list,
  tuple: list,
  concat: (given, { budget }) => given.flatMap((values) => copied(values, budget)),
});

/** The items of a list, which the result may have in common with it. */
function copied(value: Value, budget: Budget): readonly Value[] {
  const items = listIn(value);
  budget.spend(items.length);
  return items;
}

function includes(values: readonly Value[], wanted: Value, budget: Budget): boolean {
  budget.spend(values.length);
  const json = jsonOf(wanted, budget);
  return values.some((value) => equalJson(jsonOf(value, budget), json));
}
