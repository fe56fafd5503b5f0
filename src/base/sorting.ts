// Merge sort in slices, since the built-in sort cannot pause.

import { compareText } from './compare-text.ts';
import { limits } from './limits.ts';
import type { Steps } from './steps.ts';

type Compare<Item> = (one: Item, other: Item) => number;

/** The strings in the order of `sort()` without a comparator. May change and return its argument. */
export function sortingTexts(texts: string[]): Steps<string[]> {
  return sorting(texts);
}

/** How much longer a comparison of items takes than one of strings. */
const COMPARED_LONGER = 4;

/**
 * The items in the order of `sort()`, equal ones in their original order. May change and return its argument.
 *
 * @param compare as for `sort()`; without it, items are strings
 */
export function* sorting<Item>(items: Item[], compare?: Compare<Item>): Steps<Item[]> {
  const length = compare === undefined ? limits.membersInStep : limits.membersInStep / COMPARED_LONGER;
  if (items.length <= length) return items.sort(compare);
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += length) {
    runs.push(items.slice(at, at + length).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const one = runs[at] as Item[];
      const other = runs[at + 1];
      merged.push(other === undefined ? one : yield* mergingRuns([one, other], compare ?? byText));
    }
    runs = merged;
  }
  return runs[0] as Item[];
}

const MERGED_IN_STEP = limits.membersInStep / COMPARED_LONGER;

function byText(one: unknown, other: unknown): number {
  return compareText(one as string, other as string);
}

function* mergingRuns<Item>(
  [one, other]: readonly [readonly Item[], readonly Item[]],
  compare: Compare<Item>,
): Steps<Item[]> {
  const merged: Item[] = [];
  let next = 0;
  for (const item of one) {
    while (next < other.length && compare(other[next] as Item, item) < 0) merged.push(other[next++] as Item);
    merged.push(item);
    if (merged.length % MERGED_IN_STEP === 0) yield;
  }
  for (; next < other.length; next++) {
    merged.push(other[next] as Item);
    if (merged.length % MERGED_IN_STEP === 0) yield;
  }
  return merged;
}
