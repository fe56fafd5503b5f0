// Values of jq: their types, order and arithmetic.

import { isObject } from '../../../api/is-object.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { stringifyJson } from '../../../api/json-writer.ts';
import type { Json, JsonObject } from '../../../api/object.ts';
import { lookup } from '../../../base/lookup.ts';
import type { Budget } from '../budget.ts';
import { JqError } from './error.ts';

type JqType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export function typeOf(value: Json): JqType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'bigint' ? 'number' : (type as JqType);
}

/** Everything but null and false is true. */
export function isTrue(value: Json): boolean {
  return value !== null && value !== false;
}

/** A value for an error message: its type, and what it is if that is short. */
export function described(value: Json): string {
  const type = typeOf(value);
  if (type === 'null') return type;
  if (type === 'array' || type === 'object') return type;
  const text = stringifyJson(value);
  return `${type} (${text.length > 40 ? `${text.slice(0, 40)}…` : text})`;
}

/** The members of an object that are there, in the order of their names. */
export function membersOf(object: JsonObject, budget: Budget): [string, Json][] {
  const members = Object.entries(object).filter((member): member is [string, Json] => member[1] !== undefined);
  budget.spend(members.length);
  return members.sort(([one], [other]) => (one < other ? -1 : 1));
}

const ORDER: readonly JqType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** Negative if `one` comes before `other`: by type, then by value. @throws BudgetError for values nested too deeply */
export function compare(one: Json, other: Json, budget: Budget): number {
  budget.spend();
  const type = typeOf(one);
  const byType = ORDER.indexOf(type) - ORDER.indexOf(typeOf(other));
  if (byType !== 0) return byType;
  if (type === 'array') return compareLists(one as Json[], other as Json[], budget);
  if (type === 'object') {
    const [left, right] = [membersOf(one as JsonObject, budget), membersOf(other as JsonObject, budget)];
    const namesOf = (members: [string, Json][]) => members.map(([name]) => name);
    const byNames = compareLists(namesOf(left), namesOf(right), budget);
    const valuesOf = (members: [string, Json][]) => members.map(([, value]) => value);
    return byNames === 0 ? compareLists(valuesOf(left), valuesOf(right), budget) : byNames;
  }
  if (type === 'string') budget.spendText(Math.min((one as string).length, (other as string).length));
  return one! < other! ? -1 : one! > other! ? 1 : 0;
}

function compareLists(one: readonly Json[], other: readonly Json[], budget: Budget): number {
  for (const [index, item] of one.entries()) {
    if (index >= other.length) return 1;
    const order = budget.within(() => compare(item, other[index]!, budget));
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

export function sorted(values: readonly Json[], budget: Budget): Json[] {
  return [...values].sort((one, other) => compare(one, other, budget));
}

/** The text of a value: a string itself, otherwise JSON. */
export function textOf(value: Json, budget: Budget): string {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  budget.spendText(text.length);
  return text;
}

type Arithmetic = (one: Json, other: Json, budget: Budget) => Json;

export const ARITHMETIC: Readonly<Record<string, Arithmetic>> = lookup({
  '+': add,
  '-': (one, other, budget) => {
    if (typeOf(one) === 'number' && typeOf(other) === 'number') return Number(one) - Number(other);
    if (!Array.isArray(one) || !Array.isArray(other)) throw unsuitable('subtract', one, other);
    budget.spend(one.length * other.length);
    return one.filter((item) => !other.some((each) => equalJson(item, each)));
  },
  '*': (one, other, budget) => {
    if (typeOf(one) === 'number' && typeOf(other) === 'number') return Number(one) * Number(other);
    if (typeof one === 'string' && typeOf(other) === 'number') return repeated(one, Number(other), budget);
    if (typeof other === 'string' && typeOf(one) === 'number') return repeated(other, Number(one), budget);
    if (isObject(one) && isObject(other)) return merged(one, other, budget);
    throw unsuitable('multiply', one, other);
  },
  '/': (one, other, budget) => {
    if (typeof one === 'string' && typeof other === 'string') return split(one, other, budget);
    if (typeOf(one) !== 'number' || typeOf(other) !== 'number') throw unsuitable('divide', one, other);
    if (Number(other) === 0) throw new JqError('cannot divide by zero');
    return Number(one) / Number(other);
  },
  '%': (one, other) => {
    if (typeOf(one) !== 'number' || typeOf(other) !== 'number') throw unsuitable('divide', one, other);
    const divisor = Math.trunc(Math.abs(Number(other)));
    if (divisor === 0) throw new JqError('cannot divide by zero');
    return (Math.trunc(Number(one)) % divisor) + 0;
  },
});

export function add(one: Json, other: Json, budget: Budget): Json {
  if (one === null) return other;
  if (other === null) return one;
  if (typeOf(one) === 'number' && typeOf(other) === 'number') return Number(one) + Number(other);
  if (typeof one === 'string' && typeof other === 'string') {
    budget.spendText(one.length + other.length);
    return one + other;
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    budget.spend(one.length + other.length);
    return [...one, ...other];
  }
  if (!isObject(one) || !isObject(other)) throw unsuitable('add', one, other);
  budget.spend(Object.keys(one).length + Object.keys(other).length);
  return { ...one, ...other };
}

export function split(text: string, separator: string, budget: Budget): string[] {
  budget.spend(text.length);
  return text === '' ? [] : text.split(separator === '' ? /(?:)/u : separator);
}

function repeated(text: string, times: number, budget: Budget): string | null {
  if (times < 0) return null;
  const count = Math.floor(times);
  budget.spendText(text.length * count);
  return text.repeat(count);
}

/** Objects within objects are merged, too. */
function merged(one: JsonObject, other: JsonObject, budget: Budget): JsonObject {
  const members = membersOf(other, budget).map(([name, value]): [string, Json] => {
    const before = Object.hasOwn(one, name) ? one[name]! : null;
    return [name, isObject(before) && isObject(value) ? budget.within(() => merged(before, value, budget)) : value];
  });
  budget.spend(Object.keys(one).length);
  return { ...one, ...Object.fromEntries(members) };
}

function unsuitable(what: string, one: Json, other: Json): JqError {
  return new JqError(`cannot ${what} ${described(one)} and ${described(other)}`);
}

/** @throws JqError for a value that is not a number */
export function numberIn(value: Json): number {
  if (typeOf(value) !== 'number') throw new JqError(`${described(value)} is not a number`);
  return Number(value);
}
