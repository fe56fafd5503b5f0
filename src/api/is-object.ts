// The tests for JSON objects and numbers.

import type { JsonObject } from './object.ts';

/** Whether a value is a JSON object: neither a list nor a scalar nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON number; large integers are decoded as bigint. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
