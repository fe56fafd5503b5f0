// Literals of lists, maps and structs, whose parts are computed.

import { ArrayList } from '../value/array-list.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { HashMap } from '../value/map.ts';
import { formatValue } from '../value/text.ts';
import { Optional, type Value } from '../value/value.ts';
import { asResult, type Frame, type Planned, type Result } from './frame.ts';

const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

/** Something in a literal; written with a `?`, it is left out where it is none. */
export interface Part {
  readonly planned: Planned;
  readonly optional: boolean;
}

export interface EntryPart extends Part {
  readonly key: Planned;
}

export interface FieldPart extends Part {
  readonly name: string;
}

export function planList(parts: readonly Part[]): Planned {
  const cost = parts.reduce((sum, { planned }) => sum + planned.cost, LIST_COST);
  return {
    cost,
    step: (frame) => {
      const items: Value[] = [];
      for (let i = 0; i < parts.length; i++) {
        const { planned, optional } = parts[i]!;
        const result = planned.step(frame);
        if (result instanceof EvaluationError) return abandoned(frame, result, parts.slice(i + 1));
        const item = optional ? contentOf(result) : result;
        if (item === undefined) continue;
        if (item instanceof EvaluationError) return abandoned(frame, item, parts.slice(i + 1));
        items.push(item);
      }
      return new ArrayList(items);
    },
  };

  function contentOf(result: Value): Value | EvaluationError | undefined {
    if (result instanceof Optional) return result.value;
    return new EvaluationError(
      `cannot initialize optional list element from non-optional value ${formatValue(result)}`,
    );
  }
}

export function planMap(entries: readonly EntryPart[]): Planned {
  const cost = entries.reduce((sum, { key, planned }) => sum + key.cost + planned.cost, MAP_COST);
  return {
    cost,
    step: (frame) => {
      const map = new HashMap();
      for (let i = 0; i < entries.length; i++) {
        const { key: plannedKey, planned, optional } = entries[i]!;
        const rest = entries.slice(i + 1);
        const key = plannedKey.step(frame);
        if (key instanceof EvaluationError) {
          frame.cost -= planned.cost;
          return abandonedEntries(frame, key, rest);
        }
        const result = planned.step(frame);
        if (result instanceof EvaluationError) return abandonedEntries(frame, result, rest);
        const value = optional ? entryContent(key, result) : result;
        if (value instanceof EvaluationError) return abandonedEntries(frame, value, rest);
        if (value === undefined) map.delete(key);
        else map.set(key, value);
      }
      return map;
    },
  };
}

/** @param create makes the struct of its fields; may throw EvaluationError */
export function planStruct(
  fields: readonly FieldPart[],
  create: (fields: ReadonlyMap<string, Value>) => Value,
): Planned {
  const cost = fields.reduce((sum, { planned }) => sum + planned.cost, STRUCT_COST);
  return {
    cost,
    step: (frame) => {
      const values = new Map<string, Value>();
      for (let i = 0; i < fields.length; i++) {
        const { name, planned, optional } = fields[i]!;
        const result = planned.step(frame);
        const value = optional && !(result instanceof EvaluationError) ? entryContent(name, result) : result;
        if (value instanceof EvaluationError) return abandoned(frame, value, fields.slice(i + 1));
        if (value === undefined) values.delete(name);
        else values.set(name, value);
      }
      try {
        return create(values);
      } catch (error) {
        return asResult(error);
      }
    },
  };
}

function entryContent(key: Value, result: Value): Value | EvaluationError | undefined {
  if (result instanceof Optional) return result.value;
  return new EvaluationError(
    `cannot initialize optional entry '${formatValue(key)}' from non-optional value ${formatValue(result)}`,
  );
}

/** The error, after which nothing else is evaluated, or charged. */
function abandoned(frame: Frame, error: EvaluationError, rest: readonly Part[]): Result {
  for (const { planned } of rest) frame.cost -= planned.cost;
  return error;
}

function abandonedEntries(frame: Frame, error: EvaluationError, rest: readonly EntryPart[]): Result {
  for (const { key, planned } of rest) frame.cost -= key.cost + planned.cost;
  return error;
}
