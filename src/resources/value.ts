// Readers of decoded objects, whose fields may be absent or of any type. Reading never fails: absent values are
// undefined, empty strings or empty lists.

import { isObject } from '../api/is-object.ts';
import type { Json } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { sortedNames } from '../base/sorted-names.ts';

/**
 * The value at a path; undefined if the path ends early. Names may come from clients: inherited properties
 * (`__proto__`, `constructor`) are ignored.
 */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let here = value;
  for (const name of path) {
    if (!isObject(here)) return undefined;
    here = ownMember(here, name);
  }
  return here;
}

/** The value at a path as text: numbers and booleans as in JSON, anything else as ''. */
export function textAt(value: Json | undefined, ...path: string[]): string {
  const found = at(value, ...path);
  switch (typeof found) {
    case 'string':
      return found;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(found);
    default:
      return '';
  }
}

/** The number at a path; 0 if absent. */
export function numberAt(value: Json | undefined, ...path: string[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' || typeof found === 'bigint' ? Number(found) : 0;
}

/** The items of the list at a path; empty if absent. */
export function listAt(value: Json | undefined, ...path: string[]): Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The entries of the map at a path, sorted by key as in Go. */
export function entriesAt(value: Json | undefined, ...path: string[]): [string, Json][] {
  const found = at(value, ...path);
  return isObject(found) ? sortedEntries(found as Record<string, Json>) : [];
}

/** The entry of a map for a key from a client: `__proto__` is an ordinary key. */
export function entryOf<T>(map: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return map != null && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The entries of a map, sorted by key as in Go; empty if absent. */
export function sortedEntries<T>(map: Readonly<Record<string, T>> | null | undefined): [string, T][] {
  if (map === undefined || map === null) return [];
  return sortedNames(map).map((name) => [name, ownMember(map, name) as T]);
}

/** The number of entries of a map; 0 if absent. */
export function countEntries(map: Readonly<Record<string, unknown>> | null | undefined): number {
  return Object.keys(map ?? {}).length;
}
