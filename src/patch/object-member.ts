// The test whether a value is a JSON object, for patches, which may be of any type.

import type { JsonObject } from '../api/object.ts';

/** Whether a value is a JSON object (not null, not a list). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
