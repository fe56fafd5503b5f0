// Merge sort of strings in slices, since the built-in sort cannot pause.

import { limits } from './limits.ts';
import type { Steps } from './steps.ts';

/** The strings in the order of `sort()` without a comparator. May change and return its argument. */
export function* sortingTexts(texts: string[]): Steps<string[]> {
  if (texts.length <= limits.membersInStep) return texts.sort();
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += limits.membersInStep) {
    runs.push(texts.slice(at, at + limits.membersInStep).sort());
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const one = runs[at] as string[];
      const other = runs[at + 1];
      merged.push(other === undefined ? one : yield* mergingRuns(one, other));
    }
    runs = merged;
  }
  return runs[0] as string[];
}

function* mergingRuns(one: readonly string[], other: readonly string[]): Steps<string[]> {
  const merged: string[] = [];
  let next = 0;
  for (const text of one) {
    while (next < other.length && (other[next] as string) < text) merged.push(other[next++] as string);
    merged.push(text);
    if (merged.length % limits.membersInStep === 0) yield;
  }
  for (; next < other.length; next++) {
    merged.push(other[next] as string);
    if (merged.length % limits.membersInStep === 0) yield;
  }
  return merged;
}
