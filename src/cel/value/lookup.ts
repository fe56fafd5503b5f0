// Lookup of list items by index and of map values by key, with errors for missing ones.

import { EvaluationError } from './evaluation-error.ts';
import { runtimeType } from './runtime-type.ts';
import { formatValue } from './text.ts';
import { Double, type ListValue, type MapValue, Uint, type Value } from './value.ts';

/**
 * Returns the index for a value: an int, or a uint or double with an integral value. It may be out of bounds. Throws
 * EvaluationError for other values.
 */
export function indexOf(index: Value): number {
  if (typeof index === 'number') return index;
  if (typeof index === 'bigint') return Number(index);
  if (index instanceof Uint) return Number(index.value);
  if (index instanceof Double) {
    if (Number.isInteger(index.value)) return index.value;
    throw new EvaluationError(`unsupported index value ${index.value} in list`);
  }
  throw new EvaluationError(`unsupported index type '${runtimeType(index).name}' in list`);
}

/** Throws `index out of bounds`, `unsupported index` and the errors of `indexOf`. */
export function itemAt(list: ListValue, index: Value): Value {
  const position = indexOf(index);
  if (position < 0 || position >= list.size) {
    throw new EvaluationError(`index out of bounds: ${formatValue(index)}`);
  }
  if (typeof index === 'object' && list.indexedByInt === true) throw unsupportedIndex(index);
  return list.at(position);
}

/** The error for an index with an integral value in a list that accepts only ints. */
export function unsupportedIndex(index: Value): EvaluationError {
  return new EvaluationError(`unsupported index: ${formatValue(index)}`);
}

/** Throws `no such key`. */
export function valueAt(map: MapValue, key: Value): Value {
  const value = map.get(key);
  if (value === undefined) throw new EvaluationError(`no such key: ${formatValue(key)}`);
  return value;
}
