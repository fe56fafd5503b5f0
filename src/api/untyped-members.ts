// Members of an object of which nothing is known.

import type { JsonObject } from './object.ts';

/** The object in a member; an empty one where there is none. */
export function objectMember(object: JsonObject, member: string): JsonObject {
  const value = object[member];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The text in a member; empty where there is none. */
export function textMember(object: JsonObject, member: string): string {
  const value = object[member];
  return typeof value === 'string' ? value : '';
}

/** The objects of the list in a member; none where there is no list. */
export function objectsIn(object: JsonObject, member: string): JsonObject[] {
  const value = object[member];
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}
