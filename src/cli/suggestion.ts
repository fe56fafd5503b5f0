// The name that a mistyped one was meant to be.

/** The number of edits up to which a name is taken for a mistyped one. */
const FARTHEST = 2;

/** `; did you mean serve?`, for the closest of the names; '' if none is close enough. */
export function suggestion(given: string, names: Iterable<string>): string {
  const word = given.slice(0, LONGEST);
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = editsBetween(word, name);
    // A short word is within two edits of any other.
    if (edits > FARTHEST || edits >= lettersOf(name)) continue;
    if (best === undefined || edits < best.edits) best = { name, edits };
  }
  return best === undefined ? '' : `; did you mean ${best.name}?`;
}

/** Longer than any name by more than the edits. */
const LONGEST = 100;

function lettersOf(name: string): number {
  return name.replace(/^-+/, '').length - 1;
}

/** Levenshtein's distance: the insertions, removals and replacements of letters between two words. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index++) {
      const replaced = row[index - 1]! + (letter === other[index - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[index]! + 1, next[index - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
