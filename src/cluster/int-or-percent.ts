// Numbers that may be a percentage of a total: maxSurge, maxUnavailable, minAvailable.

/**
 * The number that a value stands for.
 *
 * @param value a number, or text such as `25%`; an invalid text counts as 0
 * @param roundsUp whether a fraction counts as one more
 */
export function scaledValue(value: number | string, total: number, roundsUp: boolean): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined) return 0;
  const scaled = (Number(percent) * total) / 100;
  return roundsUp ? Math.ceil(scaled) : Math.floor(scaled);
}
