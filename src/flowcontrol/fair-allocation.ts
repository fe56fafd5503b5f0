// Allocation of seats to priority levels: each gets the same fraction of its target, within its bounds.

export interface Claim {
  readonly lower: number;
  readonly upper: number;
  /** The target; at least `lower`. */
  readonly target: number;
}

interface Allocation {
  /** One for each claim, with the given sum. */
  readonly seats: readonly number[];
  /** The fraction of its target of each level that is not at a bound. */
  readonly fraction: number;
}

/** Smaller targets count as this, to avoid division by zero. */
const MIN_TARGET = 0.001;

/**
 * The allocation in which every level has `fraction` of its target, within its bounds, and the sum is `sum`.
 *
 * @returns undefined if the bounds permit none
 */
export function fairAllocation(sum: number, claims: readonly Claim[]): Allocation | undefined {
  const wanted = claims.map((claim) => ({ ...claim, target: Math.max(claim.target, MIN_TARGET) }));
  const seatsAt = (fraction: number) =>
    wanted.map(({ lower, upper, target }) => Math.max(lower, Math.min(upper, fraction * target)));
  const total = (fraction: number) => seatsAt(fraction).reduce((seats, each) => seats + each, 0);
  // Between two of these the total is linear.
  const bends = wanted.flatMap(({ lower, upper, target }) => [lower / target, upper / target]);
  bends.sort((one, other) => one - other);
  const first = bends[0] ?? 0;
  if (sum < total(first)) return undefined;
  let [from, seats] = [first, total(first)];
  if (seats === sum) return { seats: seatsAt(from), fraction: from };
  for (const bend of bends) {
    const more = total(bend);
    if (more >= sum) {
      const fraction = from + ((sum - seats) / (more - seats)) * (bend - from);
      return { seats: seatsAt(fraction), fraction };
    }
    [from, seats] = [bend, more];
  }
  return undefined;
}
