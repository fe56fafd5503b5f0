// Functions of sprig that compute numbers: integers, unless their names end in f.

import { lookup } from '../../../base/lookup.ts';
import { TemplateError } from './error.ts';
import { type FunctionNeeds, integerFrom, numberFrom, stringIn, type TemplateFunction, taking } from './function.ts';
import type { Value } from './values.ts';

const MOST = Number.POSITIVE_INFINITY;

/** A function that combines all of its arguments, the first with the second, and so on. */
function folded(least: number, combine: (one: number, other: number) => number): TemplateFunction {
  return taking(least, MOST, (given) => given.map(integerFrom).reduce(combine));
}

function foldedFloats(least: number, combine: (one: number, other: number) => number): TemplateFunction {
  return taking(least, MOST, (given) => decimal(given.map(numberFrom).reduce(combine)));
}

/** Without the digits that only binary fractions have: sprig computes with decimal ones. */
function decimal(number: number): number {
  return Number(number.toPrecision(15));
}

const add: TemplateFunction = (given) => given.map(integerFrom).reduce((one, other) => one + other, 0);
const addf: TemplateFunction = (given) => decimal(given.map(numberFrom).reduce((one, other) => one + other, 0));
const max = folded(1, (one, other) => Math.max(one, other));
const min = folded(1, (one, other) => Math.min(one, other));
const toInteger = taking(1, 1, ([value]) => integerFrom(value));
const toFloat = taking(1, 1, ([value]) => numberFrom(value));

export const NUMBER_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  add,
  add1: taking(1, 1, ([value]) => integerFrom(value) + 1),
  sub: taking(2, 2, ([one, other]) => integerFrom(one) - integerFrom(other)),
  mul: folded(1, (one, other) => one * other),
  div: taking(2, 2, ([one, other]) => Math.trunc(integerFrom(one) / divisor(other))),
  mod: taking(2, 2, ([one, other]) => (integerFrom(one) % divisor(other)) + 0),
  max,
  biggest: max,
  min,
  addf,
  add1f: taking(1, 1, ([value]) => numberFrom(value) + 1),
  subf: foldedFloats(1, (one, other) => one - other),
  mulf: foldedFloats(1, (one, other) => one * other),
  divf: foldedFloats(1, (one, other) => one / divisor(other)),
  maxf: foldedFloats(1, (one, other) => Math.max(one, other)),
  minf: foldedFloats(1, (one, other) => Math.min(one, other)),
  floor: taking(1, 1, ([value]) => Math.floor(numberFrom(value))),
  ceil: taking(1, 1, ([value]) => Math.ceil(numberFrom(value))),
  round: taking(2, 3, ([value, places, up = 0.5]) => {
    const power = 10 ** integerFrom(places);
    const digits = numberFrom(value) * power;
    const isUp = digits - Math.trunc(digits) >= numberFrom(up);
    return (isUp ? Math.ceil(digits) : Math.floor(digits)) / power;
  }),
  int: toInteger,
  int64: toInteger,
  float64: toFloat,
  atoi: taking(1, 1, ([text]) => (/^[+-]?\d+$/.test(stringIn(text)) ? Number(text) : 0)),
  toDecimal: taking(1, 1, ([value]) => {
    const text = String(numberFrom(value));
    return /^-?[0-7]+$/.test(text) ? Number.parseInt(text, 8) : 0;
  }),
  until: taking(1, 1, ([count], needs) => {
    const stop = integerFrom(count);
    return numbers({ start: 0, stop, step: stop < 0 ? -1 : 1 }, needs);
  }),
  untilStep: taking(3, 3, ([start, stop, step], needs) =>
    numbers({ start: integerFrom(start), stop: integerFrom(stop), step: integerFrom(step) }, needs),
  ),
  seq: taking(0, 3, (given, needs) => sequence(given.map(integerFrom), needs).join(' ')),
  randInt: taking(2, 2, ([least, below], { random }) => {
    const range = integerFrom(below) - integerFrom(least);
    if (range <= 0) throw new TemplateError('invalid argument to Intn');
    return integerFrom(least) + random.below(range);
  }),
});

function divisor(value: Value): number {
  const number = numberFrom(value);
  if (number === 0) throw new TemplateError('division by zero');
  return number;
}

interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

function numbers({ start, stop, step }: Range, { budget }: FunctionNeeds): number[] {
  const found: number[] = [];
  const isUp = stop >= start;
  if (isUp ? step <= 0 : step >= 0) return found;
  for (let number = start; isUp ? number < stop : number > stop; number += step) {
    budget.spend();
    found.push(number);
  }
  return found;
}

/** The end, or the start and the end, or both with the step between them. The end is included. */
function sequence(given: readonly number[], needs: FunctionNeeds): number[] {
  const end = given.at(-1);
  if (end === undefined) return [];
  const start = given.length === 1 ? 1 : given[0]!;
  const direction = end < start ? -1 : 1;
  const step = given.length === 3 ? given[1]! : direction;
  return numbers({ start, stop: end + direction, step }, needs);
}
