// Search for a text in another in linear time. JavaScript's own search is faster for ordinary texts, but takes the
// product of both lengths for repetitive ones: minutes for two of half a million characters.

/** From this product of both lengths on, the search with a guarantee is used. */
const LONG_SEARCH = 1_000_000;

/** Like String.indexOf for a part that is not empty. */
export function indexOfText(text: string, part: string, from = 0): number {
  if (part.length * (text.length - from) < LONG_SEARCH) return text.indexOf(part, from);
  const found = firstMatch(
    { length: text.length - from, at: (index) => text.charCodeAt(from + index) },
    { length: part.length, at: (index) => part.charCodeAt(index) },
  );
  return found < 0 ? -1 : from + found;
}

/** Like String.lastIndexOf for a part that is not empty. */
export function lastIndexOfText(text: string, part: string, from = text.length): number {
  // Both are read backwards, from the end of the last place where the part may be.
  const end = Math.min(text.length, from + part.length);
  if (part.length * end < LONG_SEARCH) return text.lastIndexOf(part, from);
  const found = firstMatch(
    { length: end, at: (index) => text.charCodeAt(end - 1 - index) },
    { length: part.length, at: (index) => part.charCodeAt(part.length - 1 - index) },
  );
  return found < 0 ? -1 : end - found - part.length;
}

interface Characters {
  readonly length: number;
  readonly at: (index: number) => number;
}

/** The algorithm of Knuth, Morris and Pratt: no character of the text is looked at twice. */
function firstMatch(text: Characters, part: Characters): number {
  // For each number of characters that match, how many match at the next place where the part may begin.
  const fallback = new Int32Array(part.length + 1);
  fallback[0] = -1;
  const matchedAfter = (matched: number, code: number) => {
    let before = matched;
    while (before >= 0 && part.at(before) !== code) before = fallback[before] as number;
    return before + 1;
  };
  for (let index = 0; index < part.length; index++) {
    fallback[index + 1] = matchedAfter(fallback[index] as number, part.at(index));
  }
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    matched = matchedAfter(matched, text.at(index));
    if (matched === part.length) return index + 1 - part.length;
  }
  return -1;
}
