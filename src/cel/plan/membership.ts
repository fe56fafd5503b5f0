// `x in [1, 2, 3]` for a constant list: a set is created once, and lookups are free.

import { EvaluationError } from '../value/evaluation-error.ts';
import { keyForm } from '../value/map.ts';
import { Double, type ListValue, Uint, type Value } from '../value/value.ts';
import type { Planned } from './frame.ts';

/** Undefined if the list contains values that cannot be in a set. */
export function planMembership(item: Planned, list: ListValue): Planned | undefined {
  const set = new Set<unknown>();
  for (let i = 0; i < list.size; i++) {
    const value = list.at(i);
    if (!isPrimitive(value)) return undefined;
    set.add(keyForm(value));
  }
  const { cost, step } = item;
  return {
    cost,
    step: (frame) => {
      const value = step(frame);
      return value instanceof EvaluationError ? value : set.has(keyForm(value));
    },
  };
}

function isPrimitive(value: Value): boolean {
  return (value !== null && typeof value !== 'object') || value instanceof Double || value instanceof Uint;
}
