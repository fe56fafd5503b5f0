// Merge sort in slices, since the built-in sort cannot pause.

import { limits } from './limits.ts';
import type { Steps } from './steps.ts';

type Compare<Item> = (one: Item, other: Item) => number;

/** The strings in the order of `sort()` without a comparator. May change and return its argument. */
export function sortingTexts(texts: string[]): Steps<string[]> {
  return sorting(texts);
}

/**
 * The items in the order of `sort()`, equal ones in their original order. May change and return its argument.
 *
 * @param compare as for `sort()`; without it, items are strings
 */
export function* sorting<Item>(items: Item[], compare?: Compare<Item>): Steps<Item[]> {
  if (items.length <= limits.membersInStep) return items.sort(compare);
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += limits.membersInStep) {
    runs.push(items.slice(at, at + limits.membersInStep).sort(compare));
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

function byText(one: unknown, other: unknown): number {
  const [first, second] = [one as string, other as string];
  return first < second ? -1 : first > second ? 1 : 0;
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
    if (merged.length % limits.membersInStep === 0) yield;
  }
  for (; next < other.length; next++) {
    merged.push(other[next] as Item);
    if (merged.length % limits.membersInStep === 0) yield;
  }
  return merged;
}
