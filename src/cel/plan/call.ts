// Planning of calls: operands in order, then the function. Frequent operators and functions have specialized steps for
// operands of the usual kinds; everything else uses the general one.

import { lookup } from '../../base/lookup.ts';
import { indexOfText } from '../../base/text-search.ts';
import { OPERATORS } from '../syntax/operators.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { stringSize } from '../value/size.ts';
import { ListValue, MapValue } from '../value/value.ts';
import type { Callee } from './callee.ts';
import type { Frame, Planned, Result, Step } from './frame.ts';

/** Plans a call of a function that evaluates all its operands. */
export function planCall(callee: Callee, operands: readonly Planned[]): Planned {
  if (callee.endsEarly || operands.length > 2) return planEarlyEnding(callee, operands);
  const cost = operands.reduce((sum, operand) => sum + operand.cost, callee.cost);
  const [first, second] = operands.map((operand) => operand.step) as [Step, Step];
  const fast = callee.id === undefined ? FAST_DISPATCHES[callee.name] : FAST_STEPS[callee.id];
  if (fast !== undefined) return { cost, step: fast(first, second, callee) };
  if (operands.length === 0) return { cost, step: (frame) => callee.finish(frame, []) };
  if (operands.length === 1) return { cost, step: (frame) => callee.finish(frame, [first(frame)]) };
  return { cost, step: (frame) => callee.finish(frame, [first(frame), second(frame)]) };
}

/** The first error ends the call, and the call itself is free of charge unless it was the last operand's. */
function planEarlyEnding(callee: Callee, operands: readonly Planned[]): Planned {
  return {
    cost: 0,
    step: (frame) => {
      const results: Result[] = [];
      for (const operand of operands) {
        frame.cost += operand.cost;
        const result = operand.step(frame);
        results.push(result);
        if (result instanceof EvaluationError && results.length < operands.length) return result;
      }
      frame.cost += callee.cost;
      return callee.finish(frame, results);
    },
  };
}

type FastStep = (left: Step, right: Step, callee: Callee) => Step;

/** Of two numbers that are ints in their usual form. */
function onNumbers(apply: (left: number, right: number) => Result | undefined): FastStep {
  return (left, right, callee) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = typeof a === 'number' && typeof b === 'number' ? apply(a, b) : undefined;
    return result === undefined ? callee.finish(frame, [a, b]) : result;
  };
}

function safeInteger(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** The cost of traversing a string. Up to ten characters it is 1, without counting. */
function walk(text: string): number {
  const { length } = text;
  if (length <= 10) return length === 0 ? 0 : 1;
  return Math.ceil(stringSize(text) * 0.1);
}

/** The cost of traversing two strings. */
function walkBoth(left: string, right: string): number {
  const length = left.length + right.length;
  if (length <= 10) return length === 0 ? 0 : 1;
  return Math.ceil((stringSize(left) + stringSize(right)) * 0.1);
}

/** A function of two strings, with a cost that depends on them. */
function onStrings(
  apply: (left: string, right: string) => Result,
  cost: (left: string, right: string) => number,
): FastStep {
  return (left, right, callee) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a !== 'string' || typeof b !== 'string') return callee.finish(frame, [a, b]);
    frame.charge(cost(a, b));
    return apply(a, b);
  };
}

/** Of strings, lists and maps. */
const size: FastStep = (operand, _none, callee) => (frame) => {
  const value = operand(frame);
  if (typeof value === 'string') return frame.stringSize(value);
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  return callee.finish(frame, [value]);
};

function equality(holds: boolean): FastStep {
  return (left, right, callee) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a === 'string' && typeof b === 'string') {
      chargeComparison(frame, a, b);
      return (a === b) === holds;
    }
    if (typeof a === 'number' && typeof b === 'number') {
      frame.cost += 1;
      return (a === b) === holds;
    }
    return callee.finish(frame, [a, b]);
  };
}

/** The shorter one is walked through. */
function chargeComparison(frame: Frame, left: string, right: string): void {
  const shorter = Math.min(left.length, right.length);
  if (shorter === 0) return;
  if (shorter <= 10) frame.cost += 1;
  else frame.charge(Math.ceil(Math.min(stringSize(left), stringSize(right)) * 0.1));
}

const not: FastStep = (operand, _none, callee) => (frame) => {
  const value = operand(frame);
  return typeof value === 'boolean' ? !value : callee.finish(frame, [value]);
};

/** A step that is not an error is as good as true. */
const notStrictlyFalse: FastStep = (operand) => (frame) => operand(frame) !== false;

const FAST_STEPS: Readonly<Record<string, FastStep>> = lookup({
  less_int64: onNumbers((a, b) => a < b),
  less_equals_int64: onNumbers((a, b) => a <= b),
  greater_int64: onNumbers((a, b) => a > b),
  greater_equals_int64: onNumbers((a, b) => a >= b),
  add_int64: onNumbers((a, b) => safeInteger(a + b)),
  subtract_int64: onNumbers((a, b) => safeInteger(a - b)),
  multiply_int64: onNumbers((a, b) => safeInteger(a * b)),
  equals: equality(true),
  not_equals: equality(false),
  add_string: onStrings((a, b) => a + b, walkBoth),
  starts_with_string: onStrings((text, start) => text.startsWith(start), walk),
  ends_with_string: onStrings((text, end) => text.endsWith(end), walk),
  contains_string: onStrings(
    (text, part) => part === '' || indexOfText(text, part) >= 0,
    (text, part) => walk(text) * walk(part),
  ),
  size_string: size,
  string_size: size,
  size_list: size,
  list_size: size,
  size_map: size,
  map_size: size,
  logical_not: not,
  not_strictly_false: notStrictlyFalse,
});

/** Of functions that are called with operands of any type: the types that they are mostly called with. */
const FAST_DISPATCHES: Readonly<Record<string, FastStep>> = lookup({
  [OPERATORS.less]: FAST_STEPS['less_int64']!,
  [OPERATORS.lessEquals]: FAST_STEPS['less_equals_int64']!,
  [OPERATORS.greater]: FAST_STEPS['greater_int64']!,
  [OPERATORS.greaterEquals]: FAST_STEPS['greater_equals_int64']!,
  [OPERATORS.add]: FAST_STEPS['add_int64']!,
  [OPERATORS.subtract]: FAST_STEPS['subtract_int64']!,
  [OPERATORS.multiply]: FAST_STEPS['multiply_int64']!,
  size,
});
