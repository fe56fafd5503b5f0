// Setting absent fields of decoded objects: the vocabulary of defaults.

import { isObject } from '../api/is-object.ts';
import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { objectsIn } from '../api/untyped-members.ts';

/**
 * Sets absent fields. The values become part of the object, so they must not be shared.
 *
 * @returns the object itself
 */
export function fillIn<T extends object>(object: T, values: NoInfer<Partial<T>>): T {
  for (const name in values) if ((fieldOf(object, name) ?? null) === null) setField(object, name, values[name]);
  return object;
}

/** Like fillIn, for required fields: the empty string and zero count as absent. */
export function fillInEmpty<T extends object>(object: T, values: NoInfer<Partial<T>>): void {
  for (const name in values) if (!fieldOf(object, name)) setField(object, name, values[name]);
}

/** Like fillIn, for lists and maps: an empty one counts as absent, and is not replaced by another empty one. */
export function fillInMembers<T extends object>(object: T, values: NoInfer<Partial<T>>): void {
  for (const name in values) {
    const value = values[name];
    if (hasMembers(value) && !hasMembers(fieldOf(object, name))) setField(object, name, value);
  }
}

/** Names may come from clients, as those of resources do. */
function fieldOf(object: object, name: string): unknown {
  return ownMember(object as Record<string, unknown>, name);
}

function setField(object: object, name: string, value: unknown): void {
  setMember(object as JsonObject, name, value as Json);
}

function hasMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The object in a field, created if absent. */
export function objectIn(parent: JsonObject, name: string): JsonObject {
  const found = ownMember(parent, name);
  if (isObject(found)) return found;
  const made: JsonObject = {};
  parent[name] = made;
  return made;
}

/** The object in a field, if present. */
export function objectAt(parent: JsonObject | undefined, name: string): JsonObject | undefined {
  const found = ownMember(parent, name);
  return isObject(found) ? found : undefined;
}

/** The objects of a list in a field; empty if there is none. */
export function objectsAt(parent: JsonObject | undefined, name: string): JsonObject[] {
  return parent === undefined ? [] : objectsIn(parent, name);
}
