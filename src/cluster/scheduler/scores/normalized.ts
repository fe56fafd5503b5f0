// Scores of nodes, brought to the range from 0 to 100.

/** The best score of a node. */
export const BEST = 100;

/** Scores relative to the highest one. @param isReversed whether low scores are better */
export function relativeToHighest(scores: readonly number[], isReversed = false): number[] {
  const highest = Math.max(0, ...scores);
  if (highest === 0) return scores.map((score) => (isReversed ? BEST : score));
  return scores.map((score) => {
    const part = Math.trunc((BEST * score) / highest);
    return isReversed ? BEST - part : part;
  });
}

/** Scores spread over the whole range; 0 if all are equal. */
export function overRange(scores: readonly number[]): number[] {
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  if (highest === lowest) return scores.map(() => 0);
  return scores.map((score) => Math.trunc(BEST * ((score - lowest) / (highest - lowest))));
}
