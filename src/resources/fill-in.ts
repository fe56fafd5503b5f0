// Writing into decoded objects what they do not say: the vocabulary in which kinds' defaults are declared.

import type { JsonObject } from '../api/object.ts';
import { objectsIn } from '../api/untyped-members.ts';
import { isObject } from './value.ts';

/**
 * Sets the members that are not there. The values become part of the object: hand in fresh ones.
 *
 * @returns the object itself
 */
export function fillIn<T extends object>(object: T, values: NoInfer<Partial<T>>): T {
  for (const name in values) object[name] ??= values[name] as T[typeof name];
  return object;
}

/** As fillIn, for members that are always written: empty text and zero stand for 'not there'. */
export function fillInEmpty<T extends object>(object: T, values: NoInfer<Partial<T>>): void {
  for (const name in values) object[name] ||= values[name] as T[typeof name];
}

/** As fillIn, for lists and maps: an empty one stands for 'not there', and is not filled with another empty one. */
export function fillInMembers<T extends object>(object: T, values: NoInfer<Partial<T>>): void {
  for (const name in values) {
    const value = values[name] as T[typeof name];
    if (hasMembers(value) && !hasMembers(object[name])) object[name] = value;
  }
}

function hasMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The object in a member, made when it isn't there. */
export function objectIn(parent: JsonObject, name: string): JsonObject {
  const found = parent[name];
  if (isObject(found)) return found;
  const made: JsonObject = {};
  parent[name] = made;
  return made;
}

/** The object in a member, if it is there. */
export function objectAt(parent: JsonObject | undefined, name: string): JsonObject | undefined {
  const found = parent?.[name];
  return isObject(found) ? found : undefined;
}

/** The objects of the list in a member; none where there is no list. */
export function objectsAt(parent: JsonObject | undefined, name: string): JsonObject[] {
  return parent === undefined ? [] : objectsIn(parent, name);
}
