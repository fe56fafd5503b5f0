// Readers of untyped objects.

import { isObject } from './is-object.ts';
import type { JsonObject } from './object.ts';
import { ownMember } from './own-member.ts';

/** The object in a field; an empty one if absent. */
export function objectMember(object: JsonObject, member: string): JsonObject {
  const value = ownMember(object, member);
  return isObject(value) ? value : {};
}

/** The string in a field; empty if absent. */
export function textMember(object: JsonObject, member: string): string {
  const value = ownMember(object, member);
  return typeof value === 'string' ? value : '';
}

/** The objects of a list in a field; empty if absent. */
export function objectsIn(object: JsonObject, member: string): JsonObject[] {
  const value = ownMember(object, member);
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}
