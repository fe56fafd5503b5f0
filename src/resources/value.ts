// Readers of decoded objects, whose members may be absent or of any type. Reading never fails: what isn't there is
// undefined, empty text or an empty list.

import type { Json, JsonObject } from '../api/object.ts';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The member at a path; undefined where the path ends early. Names may be a client's: what every object inherits
 * (`__proto__`, `constructor`) is not there.
 */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let here = value;
  for (const name of path) {
    if (!isObject(here)) return undefined;
    here = here[name];
    if (typeof here === 'function' || (here as unknown) === Object.prototype) return undefined;
  }
  return here;
}

/** The member at a path as text: numbers and booleans as they are written, anything else as ''. */
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

/** The number at a path; 0 where there is none. */
export function numberAt(value: Json | undefined, ...path: string[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' || typeof found === 'bigint' ? Number(found) : 0;
}

/** The items of the list at a path; none where there is no list. */
export function listAt(value: Json | undefined, ...path: string[]): Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The members of the map at a path, sorted by key as Go writes maps. */
export function entriesAt(value: Json | undefined, ...path: string[]): [string, Json][] {
  const found = at(value, ...path);
  return isObject(found) ? sortedEntries(found as Record<string, Json>) : [];
}

/** The entry of a map under a key that a client chose: `__proto__` is a key like any other. */
export function entryOf<T>(map: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return map != null && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The members of a map, sorted by key as Go writes maps; none where there is no map. */
export function sortedEntries<T>(map: Readonly<Record<string, T>> | null | undefined): [string, T][] {
  if (map === undefined || map === null) return [];
  const entries: [string, T][] = [];
  let isSorted = true;
  let last = '';
  for (const name of Object.keys(map)) {
    if (name < last) isSorted = false;
    last = name;
    entries.push([name, map[name] as T]);
  }
  return isSorted ? entries : entries.sort(([one], [other]) => (one < other ? -1 : 1));
}
