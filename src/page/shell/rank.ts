// Ranking of search results: exact names before prefixes, prefixes before other matches.

interface Ranked {
  readonly title: string;
  readonly words: readonly string[];
}

/** Returns the items that match `query`, best first; all of them, in order, if it is empty. */
export function rank<T extends Ranked>(all: readonly T[], query: string): T[] {
  const typed = query.trim().toLowerCase();
  if (typed === '') return [...all];
  return all
    .map((one) => ({
      one,
      score: Math.min(...[one.title, ...one.words].map((word) => score(word.toLowerCase(), typed))),
    }))
    .filter(({ score }) => score < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.score - b.score || a.one.title.length - b.one.title.length)
    .map(({ one }) => one);
}

function score(word: string, typed: string): number {
  if (word === typed) return 0;
  if (word.startsWith(typed)) return 1;
  const at = word.indexOf(typed);
  if (at >= 0) return 2 + at / 100;
  let from = 0;
  for (const letter of typed) {
    from = word.indexOf(letter, from) + 1;
    if (from === 0) return Number.POSITIVE_INFINITY;
  }
  return 4;
}
