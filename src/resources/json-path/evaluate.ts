// Evaluation of JSONPath on an object, as by client-go: fields that are absent select nothing, and what an expression
// cannot do, such as an index beyond the end of an array, fails the whole path.

import { isObject } from '../../api/is-object.ts';
import type { Json } from '../../api/object.ts';
import type { Filter, Path, PathPart, Slice } from './path.ts';

/** Thrown when a path fails on an object. */
class EvaluationFault extends Error {
  /** What the failing part leaves, which is enough for a filter that only asks for existence. */
  readonly left: readonly Json[];

  constructor(left: readonly Json[]) {
    super('the path cannot be evaluated on this object');
    this.left = left;
  }
}

/** The values that the first action of a template selects; undefined if any action fails. */
export function findValues(object: Json, actions: readonly Path[]): readonly Json[] | undefined {
  try {
    const [first = []] = actions.map((path) => select([object], path));
    return first;
  } catch (error) {
    if (error instanceof EvaluationFault) return undefined;
    throw error;
  }
}

function select(values: readonly Json[], path: Path): readonly Json[] {
  let found = values;
  for (const part of path) found = step(found, part);
  return found;
}

function step(values: readonly Json[], part: PathPart): readonly Json[] {
  switch (part.kind) {
    case 'field':
      return values.flatMap((each) =>
        isObject(each) && Object.hasOwn(each, part.name) ? [each[part.name] as Json] : [],
      );
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap(containersIn);
    case 'slice':
      return sliced(values, part.slice);
    case 'union':
      return union(values, part.paths);
    case 'filter':
      return filtered(values, part.filter);
    case 'literal':
      return typeof part.value === 'string' ? [part.value] : values.map(() => part.value);
    case 'identifier':
      throw new EvaluationFault(values);
  }
}

function childrenOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((name) => value[name] as Json);
}

/** A value that has parts, and those within it; a text is one, too. */
function containersIn(value: Json): readonly Json[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(containersIn)];
}

function sliced(values: readonly Json[], { from: start, to: end, by = 1, isOne }: Slice): readonly Json[] {
  const found: Json[] = [];
  for (const value of values) {
    if (value === null) continue;
    if (!Array.isArray(value)) throw new EvaluationFault(values);
    const { length } = value;
    const from = fromEnd(start ?? 0, length);
    const to = end === 0 && isOne ? length : fromEnd(end ?? length, length);
    // Nothing is asked for: this ends the selection.
    if (from === to) return found;
    if (from < 0 || from >= length || to < 0 || to > length || from > to || by <= 0) throw new EvaluationFault(values);
    for (let index = from; index < to; index += by) found.push(value[index] as Json);
  }
  return found;
}

function fromEnd(index: number, length: number): number {
  return index < 0 ? index + length : index;
}

function union(values: readonly Json[], paths: readonly Path[]): readonly Json[] {
  try {
    return paths.flatMap((path) => select(values, path));
  } catch (error) {
    throw error instanceof EvaluationFault ? new EvaluationFault(values) : error;
  }
}

function filtered(values: readonly Json[], filter: Filter): readonly Json[] {
  const found: Json[] = [];
  for (const value of values) {
    if (!Array.isArray(value)) throw new EvaluationFault(values);
    for (const item of value) if (passes(item, filter, found)) found.push(item);
  }
  return found;
}

function passes(item: Json, { left, operator, right }: Filter, found: readonly Json[]): boolean {
  if (right === undefined) return existing(item, left).length > 0;
  const one = only(select([item], left));
  if (one === undefined) return false;
  const other = only(select([item], right));
  if (other === undefined) return false;
  const holds = compare(operand(one, left), operator, operand(other, right));
  if (holds === undefined) throw new EvaluationFault(found);
  return holds;
}

function existing(item: Json, path: Path): readonly Json[] {
  try {
    return select([item], path);
  } catch (error) {
    if (error instanceof EvaluationFault) return error.left;
    throw error;
  }
}

/** The value to compare; undefined if there is none. */
function only(values: readonly Json[]): Json | undefined {
  if (values.length > 1) throw new EvaluationFault(values);
  return values[0];
}

interface Operand {
  readonly value: Json;
  readonly type: string;
}

function operand(value: Json, path: Path): Operand {
  if (typeof value !== 'number') return { value, type: typeof value };
  const last = path.at(-1);
  const isFloat = last?.kind === 'literal' ? last.isFloat : !Number.isInteger(value);
  return isFloat ? { value, type: 'float' } : { value: BigInt(value), type: 'bigint' };
}

const COMPARABLE = new Set(['boolean', 'bigint', 'float', 'string']);

/** Undefined for values or an operator that cannot be compared: integers and floats are of different types. */
function compare(one: Operand, operator: string, other: Operand): boolean | undefined {
  const { type } = one;
  if (type !== other.type || !COMPARABLE.has(type)) return undefined;
  const equal = one.value === other.value;
  if (operator === '==') return equal;
  if (operator === '!=') return !equal;
  if (type === 'boolean') return undefined;
  const less = (one.value as string) < (other.value as string);
  switch (operator) {
    case '<':
      return less;
    case '<=':
      return less || equal;
    case '>':
      return !less && !equal;
    case '>=':
      return !less;
    default:
      return undefined;
  }
}
