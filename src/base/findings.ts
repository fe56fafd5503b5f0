// Lists of validation errors, which are nearly always empty: no list is allocated without errors, and the keys of a map
// are only sorted if the order matters.

import { inParts, overItems, part } from './resumed.ts';
import { sortingTexts } from './sorting.ts';

/** No errors. */
export const NONE: readonly never[] = Object.freeze([]);

/** All errors, in the given order. */
export function joined<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  let first: readonly T[] = NONE;
  let all: T[] | undefined;
  for (let index = 0; index < lists.length; index++) {
    const list = lists[index] as readonly T[];
    if (list.length === 0) continue;
    if (all !== undefined) for (const each of list) all.push(each);
    else if (first.length === 0) first = list;
    else all = [...first, ...list];
  }
  return all ?? first;
}

/**
 * The errors in the items of a list, in order; none if it is absent.
 * @param check must not remember anything from one item to the next, except within `remembering`
 */
export function ofItems<I, T>(
  items: readonly I[] | null | undefined,
  check: (item: I, index: number) => readonly T[],
): readonly T[] {
  if (items === undefined || items === null) return NONE;
  if (items.length === 0) return NONE;
  const found = overItems(items, check);
  return found.length === 0 ? NONE : found;
}

/**
 * The errors in the entries of a map, sorted by key, so that messages are deterministic. `check` may be called twice
 * for an entry and must return the same.
 */
export function ofMembers<M, T>(
  map: Readonly<Record<string, M>> | null | undefined,
  check: (key: string, member: M) => readonly T[],
): readonly T[] {
  if (map === undefined || map === null) return NONE;
  const keys = part(() => Object.keys(map));
  const found = ofItems(keys, (key) => check(key, map[key] as M));
  if (found.length === 0 || keys.length === 1) return found;
  const sorted = inParts(() => sortingTexts([...keys]));
  return ofItems(sorted, (key) => check(key, map[key] as M));
}
