// The one test for JSON objects.

import type { JsonObject } from './object.ts';

/** Whether a value is a JSON object: neither a list nor a scalar nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
