// Qualifiers: `.field`, `[index]` and their optional forms, on values of any type.

import { EvaluationError } from '../value/evaluation-error.ts';
import { indexOf, unsupportedIndex } from '../value/lookup.ts';
import { formatValue } from '../value/text.ts';
import { ListValue, MapValue, StructValue, type Value } from '../value/value.ts';
import { asResult, type Result } from './frame.ts';

/** Returns the value of an object's key; an error if there is none. */
export function qualify(object: Value, key: Value): Result {
  const value = qualifyIfPresent(object, key);
  if (value !== undefined) return value;
  return new EvaluationError(
    `${object instanceof ListValue ? 'index out of bounds' : 'no such key'}: ${formatValue(key)}`,
  );
}

/** As `qualify`, but undefined if the object does not have the key. */
export function qualifyIfPresent(object: Value, key: Value): Result | undefined {
  if (typeof object !== 'object' || object === null) return undefined;
  try {
    if (object instanceof StructValue) return typeof key === 'string' ? object.get(key) : undefined;
    if (object instanceof MapValue) return object.get(key);
    if (!(object instanceof ListValue)) return undefined;
    const index = indexOf(key);
    if (index < 0 || index >= object.size) return undefined;
    return typeof key === 'object' && object.indexedByInt === true ? unsupportedIndex(key) : object.at(index);
  } catch (error) {
    return asResult(error);
  }
}
