// Functions that Go templates have by themselves. `and` and `or` are part of the language here, because they do not
// evaluate all of their arguments.

import { lookup } from '../../../base/lookup.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from './error.ts';
import { integerFrom, stringIn, type TemplateFunction, taking } from './function.ts';
import { printf } from './printf.ts';
import { areEqual, DataNumber, isLess, isMap, isTrue, memberOf, textOf, typeNameOf, type Value } from './values.ts';

const MOST = Number.POSITIVE_INFINITY;

export const BUILTIN_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  // Replaced by the language; here so that their names are known.
  and: () => undefined,
  or: () => undefined,
  not: taking(1, 1, ([value]) => !isTrue(value)),
  eq: taking(2, MOST, ([one, ...others]) => others.some((other) => areEqual(one, other))),
  ne: taking(2, 2, ([one, other]) => !areEqual(one, other)),
  lt: taking(2, 2, ([one, other]) => isLess(one, other)),
  le: taking(2, 2, ([one, other]) => isLess(one, other) || areEqual(one, other)),
  gt: taking(2, 2, ([one, other]) => isLess(other, one)),
  ge: taking(2, 2, ([one, other]) => !isLess(one, other)),
  len: taking(1, 1, ([value], { budget }) => lengthOf(value, budget)),
  index: taking(1, MOST, ([value, ...keys]) => keys.reduce(itemAt, value)),
  print: (given, { budget }) => {
    const texts = given.map((value) => textOf(value, budget));
    return texts.reduce((text, next, index) => {
      const isApart = index > 0 && typeof given[index] !== 'string' && typeof given[index - 1] !== 'string';
      return text + (isApart ? ' ' : '') + next;
    }, '');
  },
  println: (given, { budget }) => `${given.map((value) => textOf(value, budget)).join(' ')}\n`,
  printf: taking(1, MOST, ([format, ...values], { budget }) => printf(stringIn(format), values, budget)),
});

function lengthOf(value: Value, budget: Budget): number {
  if (typeof value === 'string') {
    budget.spendText(value.length);
    return Buffer.byteLength(value);
  }
  if (value instanceof DataNumber) return value.text.length;
  if (Array.isArray(value)) return value.length;
  if (isMap(value)) return Object.keys(value).length;
  throw new TemplateError(value === undefined ? 'len of nil pointer' : `len of type ${typeNameOf(value)}`);
}

function itemAt(value: Value, key: Value): Value {
  if (value === undefined) throw new TemplateError('index of untyped nil');
  if (Array.isArray(value)) {
    if (typeof key !== 'number') throw new TemplateError(`cannot index slice/array with type ${typeNameOf(key)}`);
    const index = integerFrom(key);
    if (index < 0 || index >= value.length) throw new TemplateError(`index out of range: ${index}`);
    return value[index];
  }
  if (isMap(value)) {
    if (typeof key === 'string') return memberOf(value, key);
    const fault =
      key === undefined
        ? 'value is nil; should be of type string'
        : `value has type ${typeNameOf(key)}; should be string`;
    throw new TemplateError(fault);
  }
  throw new TemplateError(`can't index item of type ${typeNameOf(value)}`);
}
