// Calls: their operands, one after the other, then the function. The operators and functions that rules are full of have
// steps of their own for operands of the usual kinds; everything else goes the general way.

import { EvaluationError } from '../value/evaluation-error.ts';
import { stringSize } from '../value/size.ts';
import { ListValue, MapValue } from '../value/value.ts';
import type { Callee } from './callee.ts';
import type { Frame, Planned, Result, Step } from './frame.ts';

/** Plans a call of a function that evaluates all its operands. */
export function planCall(callee: Callee, operands: readonly Planned[]): Planned {
  const cost = operands.reduce((sum, operand) => sum + operand.cost, callee.cost);
  const steps = operands.map((operand) => operand.step);
  const fast = callee.id === undefined ? undefined : FAST_STEPS[callee.id];
  if (fast !== undefined) return { cost, step: fast(steps[0]!, steps[1]!, callee) };
  return { cost, step: generalStep(callee, operands) };
}

function generalStep(callee: Callee, operands: readonly Planned[]): Step {
  const [first, second] = operands.map((operand) => operand.step) as [Step, Step];
  if (operands.length === 0) return (frame) => callee.finish(frame, []);
  if (operands.length === 1) return (frame) => callee.finish(frame, [first(frame)]);
  if (operands.length === 2) return (frame) => callee.finish(frame, [first(frame), second(frame)]);
  return (frame) => {
    const results: Result[] = [];
    for (const { step } of operands) {
      const result = step(frame);
      results.push(result);
      if (!(result instanceof EvaluationError)) continue;
      // From three operands on, the call ends at the first error, without the rest, and free unless that is the last.
      if (results.length === operands.length) break;
      for (let i = results.length; i < operands.length; i++) frame.cost -= operands[i]!.cost;
      frame.cost -= callee.cost;
      return result;
    }
    return callee.finish(frame, results);
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

/** What walking through a string costs. Up to ten characters it is 1, which needs no counting. */
function walk(text: string): number {
  const { length } = text;
  if (length <= 10) return length === 0 ? 0 : 1;
  return Math.ceil(stringSize(text) * 0.1);
}

/** Of two strings, at the cost of walking through the first. */
function onStrings(apply: (left: string, right: string) => boolean): FastStep {
  return (left, right, callee) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a !== 'string' || typeof b !== 'string') return callee.finish(frame, [a, b]);
    frame.charge(walk(a));
    return apply(a, b);
  };
}

/** Of strings, lists and maps. */
const size: FastStep = (operand, _none, callee) => (frame) => {
  const value = operand(frame);
  if (typeof value === 'string') return stringSize(value);
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

/** A step that is no error is as good as true. */
const notStrictlyFalse: FastStep = (operand) => (frame) => operand(frame) !== false;

const FAST_STEPS: Readonly<Record<string, FastStep>> = {
  less_int64: onNumbers((a, b) => a < b),
  less_equals_int64: onNumbers((a, b) => a <= b),
  greater_int64: onNumbers((a, b) => a > b),
  greater_equals_int64: onNumbers((a, b) => a >= b),
  add_int64: onNumbers((a, b) => safeInteger(a + b)),
  subtract_int64: onNumbers((a, b) => safeInteger(a - b)),
  multiply_int64: onNumbers((a, b) => safeInteger(a * b)),
  equals: equality(true),
  not_equals: equality(false),
  starts_with_string: onStrings((text, start) => text.startsWith(start)),
  ends_with_string: onStrings((text, end) => text.endsWith(end)),
  size_string: size,
  string_size: size,
  size_list: size,
  list_size: size,
  size_map: size,
  map_size: size,
  logical_not: not,
  not_strictly_false: notStrictlyFalse,
};
