// First places of values in lists, by which repeated items are found without comparing each with all others.

/** The first place of each value. */
export function firstPlaces<T>(items: readonly T[]): ReadonlyMap<T, number> {
  const places = new Map<T, number>();
  for (const [index, item] of items.entries()) if (!places.has(item)) places.set(item, index);
  return places;
}

/** The first item with each key. */
export function firstBy<Key, T>(items: readonly T[], keyOf: (item: T) => Key): ReadonlyMap<Key, T> {
  const first = new Map<Key, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (!first.has(key)) first.set(key, item);
  }
  return first;
}
