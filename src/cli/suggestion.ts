// The name that a mistyped one was meant to be.

import { editDistance } from '../base/edit-distance.ts';

/** The number of edits up to which a name is taken for a mistyped one. */
const FARTHEST = 2;

/** ` (did you mean serve?)`, for the closest of the names; '' if none is close enough. */
export function suggestion(given: string, names: Iterable<string>): string {
  const word = given.slice(0, LONGEST);
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = editDistance(word, name);
    // A short word is within two edits of any other.
    if (edits > FARTHEST || edits >= lettersOf(name)) continue;
    if (best === undefined || edits < best.edits) best = { name, edits };
  }
  return best === undefined ? '' : ` (did you mean ${best.name}?)`;
}

/** Longer than any name by more than the edits. */
const LONGEST = 100;

function lettersOf(name: string): number {
  return name.replace(/^-+/, '').length - 1;
}
