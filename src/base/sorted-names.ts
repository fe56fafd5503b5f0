// The names of a map's members in order, in parts of a computation if there are many.

import { inParts, part } from './resumed.ts';
import { sortingTexts } from './sorting.ts';

/** Reading and sorting so many takes some time. */
const MANY_NAMES = 1_000;

/** The names of an object's members, in the order of `sort()`. */
export function sortedNames(object: Readonly<Record<string, unknown>>): string[] {
  return part(() => {
    const names = part(() => Object.keys(object));
    if (names.length <= MANY_NAMES) return names.sort();
    return isSorted(names) ? names : inParts(() => sortingTexts(names));
  });
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, index) => index === 0 || (names[index - 1] as string) <= name);
}
