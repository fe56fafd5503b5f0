// Functions of sprig that make and change maps.

import { lookup } from '../../../base/lookup.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from './error.ts';
import { mapIn, stringIn, type TemplateFunction, taking } from './function.ts';
import { isMap, isTrue, jsonOf, memberOf, membersOf, textOf, type Value, type ValueMap, valueFrom } from './values.ts';

const MOST = Number.POSITIVE_INFINITY;

const merge = merging((before) => !isTrue(before));
const mergeOverwrite = merging((_before, after) => isTrue(after));
const deepCopy = taking(1, 1, ([value], { budget }) => valueFrom(jsonOf(value, budget), budget));

export const MAP_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  dict: (given, { budget }) => {
    const map: ValueMap = {};
    for (let index = 0; index < given.length; index += 2) {
      const key = given[index];
      put(map, typeof key === 'string' ? key : textOf(key, budget), index + 1 < given.length ? given[index + 1] : '');
    }
    return map;
  },
  get: taking(2, 2, ([map, key]) => memberOf(mapIn(map), stringIn(key)) ?? ''),
  set: taking(3, 3, ([map, key, value], { budget }) => {
    if (isWithin(mapIn(map), value, budget)) throw new TemplateError('a map cannot contain itself');
    return put(mapIn(map), stringIn(key), value);
  }),
  unset: taking(2, 2, ([map, key]) => {
    delete mapIn(map)[stringIn(key)];
    return map;
  }),
  hasKey: taking(2, 2, ([map, key]) => Object.hasOwn(mapIn(map), stringIn(key))),
  keys: (given, { budget }) => given.flatMap((map) => counted(map, budget).map(([name]) => name)),
  values: taking(1, 1, ([map], { budget }) => counted(map, budget).map(([, value]) => value)),
  pluck: taking(1, MOST, ([key, ...maps]) =>
    maps.map(mapIn).flatMap((map) => (Object.hasOwn(map, stringIn(key)) ? [map[stringIn(key)]] : [])),
  ),
  pick: taking(1, MOST, ([map, ...names], { budget }) => chosen(map, budget, (name) => names.includes(name))),
  omit: taking(1, MOST, ([map, ...names], { budget }) => chosen(map, budget, (name) => !names.includes(name))),
  dig: taking(3, MOST, (given) => {
    const path = given.slice(0, -2).map(stringIn);
    let value = given.at(-1);
    for (const name of path) {
      const map = mapIn(value);
      if (!Object.hasOwn(map, name)) return given.at(-2);
      value = map[name];
    }
    return value;
  }),
  merge,
  mustMerge: merge,
  mergeOverwrite,
  mustMergeOverwrite: mergeOverwrite,
  deepCopy,
  mustDeepCopy: deepCopy,
});

function counted(map: Value, budget: Budget): [string, Value][] {
  const members = membersOf(mapIn(map));
  budget.spend(members.length);
  return members;
}

function chosen(map: Value, budget: Budget, isChosen: (name: string) => boolean): ValueMap {
  return Object.fromEntries(counted(map, budget).filter(([name]) => isChosen(name)));
}

function put(map: ValueMap, name: string, value: Value): ValueMap {
  return Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
}

function isWithin(map: ValueMap, value: Value, budget: Budget): boolean {
  budget.spend();
  if (value === map) return true;
  const parts = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : [];
  return parts.some((part) => isWithin(map, part, budget));
}

/** Maps merged into the first one, maps within them too. @param isTaken whether a value takes the place of another */
function merging(isTaken: (before: Value, after: Value) => boolean): TemplateFunction {
  const mergeInto = (target: ValueMap, source: Value, budget: Budget): void => {
    for (const [name, value] of counted(source, budget)) {
      const before = memberOf(target, name);
      if (isMap(before) && isMap(value)) mergeInto(before, value, budget);
      else if (isTaken(before, value)) put(target, name, valueFrom(jsonOf(value, budget), budget));
    }
  };
  return taking(1, MOST, ([target, ...sources], { budget }) => {
    for (const source of sources) mergeInto(mapIn(target), source, budget);
    return target;
  });
}
