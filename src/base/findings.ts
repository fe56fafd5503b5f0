// Lists of validation errors, which are nearly always empty: no list is allocated without errors, and the keys of a map
// are only sorted if the order matters.

/** No errors. */
export const NONE: readonly never[] = Object.freeze([]);

/** All errors, in the given order. */
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

/** The errors in the items of a list, in order; none if it is absent. */
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
 * The errors in the entries of a map, sorted by key, so that messages are deterministic. `check` may be called twice
 * for an entry and must return the same.
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
