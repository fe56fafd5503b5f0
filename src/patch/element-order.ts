// Order of a list merged by a strategic merge patch: items in the patch have its order, all others keep theirs, and the
// two are interleaved so that live neighbours stay neighbours. An item is identified by the value of its merge key, or
// by itself in a list of scalars.

import type { Json } from '../api/object.ts';

interface ElementOrder {
  /** Keys in the order of the patch. */
  readonly wanted: readonly Json[];
  /** Keys in the order of the live list. */
  readonly live: readonly Json[];
  readonly keyOf: (item: Json) => Json;
}

/** The items in that order; items that are not in the live list precede the live ones that follow them. */
export function inElementOrder(items: readonly Json[], { wanted, live, keyOf }: ElementOrder): Json[] {
  const wantedRank = ranks(wanted);
  const liveRank = ranks(live);
  const rankIn = (order: ReadonlyMap<Json, number>, item: Json): number => order.get(keyOf(item)) ?? Infinity;
  const patched = items.filter((item) => wantedRank.has(keyOf(item)));
  const others = items.filter((item) => !wantedRank.has(keyOf(item)));
  patched.sort((a, b) => compare(rankIn(wantedRank, a), rankIn(wantedRank, b)));
  others.sort((a, b) => compare(rankIn(liveRank, a), rankIn(liveRank, b)));

  const result: Json[] = [];
  let next = 0;
  for (const item of patched) {
    const rank = rankIn(liveRank, item);
    while (rank !== Infinity && next < others.length && rankIn(liveRank, others[next]!) < rank) {
      result.push(others[next++]!);
    }
    result.push(item);
  }
  for (; next < others.length; next++) result.push(others[next]!);
  return result;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** The index of each key; of duplicates, the first. */
function ranks(keys: readonly Json[]): Map<Json, number> {
  const result = new Map<Json, number>();
  for (const key of keys) if (!result.has(key)) result.set(key, result.size);
  return result;
}
