// Lists of findings, nearly always empty: finding nothing makes no lists, and a check of a map sorts its members only
// where the order shows.

/** Nothing found. */
export const NONE: readonly never[] = Object.freeze([]);

/** All that was found, in the order given. */
export function joined<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  let first: readonly T[] = NONE;
  let all: T[] | undefined;
  for (let index = 0; index < lists.length; index++) {
    const list = lists[index] as readonly T[];
    if (list.length === 0) continue;
    if (all !== undefined) all.push(...list);
    else if (first.length === 0) first = list;
    else all = [...first, ...list];
  }
  return all ?? first;
}

/** What is found in the items of a list, one after the other; nothing in one that is not there. */
export function ofItems<I, T>(
  items: readonly I[] | null | undefined,
  check: (item: I, index: number) => readonly T[],
): readonly T[] {
  if (items === undefined || items === null) return NONE;
  let found: T[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const some = check(items[index] as I, index);
    if (some.length === 0) continue;
    found ??= [];
    found.push(...some);
  }
  return found ?? NONE;
}

/**
 * What is found in the members of a map, in the order of their keys, so that a message is the same each time. `check`
 * may be called twice for a member and must give the same.
 */
export function ofMembers<M, T>(
  map: Readonly<Record<string, M>> | null | undefined,
  check: (key: string, member: M) => readonly T[],
): readonly T[] {
  if (map === undefined || map === null) return NONE;
  for (const key in map) {
    if (check(key, map[key] as M).length > 0) {
      return ofItems(Object.keys(map).sort(), (each) => check(each, map[each] as M));
    }
  }
  return NONE;
}
