// Planning of list, map and struct literals.

import { ArrayList } from '../value/array-list.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { HashMap } from '../value/map.ts';
import { formatValue } from '../value/text.ts';
import { Optional, type Value } from '../value/value.ts';
import { asResult, type Frame, type Planned, type Result } from './frame.ts';

const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

/** An element of a literal; with a `?`, it is omitted if it is none. */
interface Part {
  readonly planned: Planned;
  readonly optional: boolean;
}

interface EntryPart extends Part {
  readonly key: Planned;
}

interface FieldPart extends Part {
  readonly name: string;
}

// Elements are charged one by one: evaluation stops at the first that fails.

export function planList(parts: readonly Part[]): Planned {
  return {
    cost: LIST_COST,
    step: (frame) => {
      const items: Value[] = [];
      for (const part of parts) {
        const result = run(frame, part.planned);
        if (result instanceof EvaluationError) return result;
        const item = part.optional ? itemContent(result) : result;
        if (item instanceof EvaluationError) return item;
        if (item !== undefined) items.push(item);
      }
      return new ArrayList(items);
    },
  };
}

export function planMap(entries: readonly EntryPart[]): Planned {
  return {
    cost: MAP_COST,
    step: (frame) => {
      const map = new HashMap();
      for (const entry of entries) {
        const key = run(frame, entry.key);
        if (key instanceof EvaluationError) return key;
        const result = run(frame, entry.planned);
        if (result instanceof EvaluationError) return result;
        const value = entry.optional ? entryContent(key, result) : result;
        if (value instanceof EvaluationError) return value;
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
  return {
    cost: STRUCT_COST,
    step: (frame) => {
      const values = new Map<string, Value>();
      for (const { name, planned, optional } of fields) {
        const result = run(frame, planned);
        if (result instanceof EvaluationError) return result;
        const value = optional ? entryContent(name, result) : result;
        if (value instanceof EvaluationError) return value;
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

function run(frame: Frame, planned: Planned): Result {
  frame.cost += planned.cost;
  return planned.step(frame);
}

function itemContent(result: Value): Value | EvaluationError | undefined {
  if (result instanceof Optional) return result.value;
  return new EvaluationError(`cannot initialize optional list element from non-optional value ${formatValue(result)}`);
}

function entryContent(key: Value, result: Value): Value | EvaluationError | undefined {
  if (result instanceof Optional) return result.value;
  return new EvaluationError(
    `cannot initialize optional entry '${formatValue(key)}' from non-optional value ${formatValue(result)}`,
  );
}
