// Members of JSON objects by names from clients: `__proto__`, `constructor` and the like are ordinary members, never
// inherited properties.

import type { Json, JsonObject } from '../api/object.ts';

/** Whether a value is a JSON object (not null, not a list). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's own member, or undefined. */
export function memberOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
