// The kind of a JSON value in the terms of schemas.

import type { Json } from '../../api/object.ts';
import type { JsonType } from './schema-part.ts';

export type ValueKind = JsonType | 'null';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** As in kube-apiserver, a fraction that is negligible beside a positive number does not make it another type. */
export function isAlmostInteger(value: number): boolean {
  const integer = Math.trunc(value);
  return value > 0 && Number.isSafeInteger(integer) && (value - integer) / (value + integer) < 1e-9;
}

export function kindOf(value: Json): ValueKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number';
    case 'bigint':
      return value >= MIN_INT64 && value <= MAX_INT64 ? 'integer' : 'number';
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object';
  }
}
