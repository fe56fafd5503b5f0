// The order of texts by their UTF-16 code units: that of `sort()` without a comparator, and of `<`.

/** Compares two texts for sorting: negative if `one` comes first, 0 if they are equal. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
