// Sharing seats out: each level gets the same part of its target, as far as its bounds let it.

export interface Claim {
  readonly lower: number;
  readonly upper: number;
  /** What the level is to have; at least `lower`. */
  readonly target: number;
}

interface Allocation {
  /** One for each claim, adding up to the sum. */
  readonly seats: readonly number[];
  /** The part of its target that each level gets that is not held by a bound. */
  readonly fraction: number;
}

/** Targets below this count as this, so that nothing is divided by zero. */
const MIN_TARGET = 0.001;

/**
 * The allocation in which every level has `fraction` of its target, held within its bounds, and all have `sum`.
 *
 * @returns undefined where the bounds leave no such allocation
 */
export function fairAllocation(sum: number, claims: readonly Claim[]): Allocation | undefined {
  const wanted = claims.map((claim) => ({ ...claim, target: Math.max(claim.target, MIN_TARGET) }));
  const seatsAt = (fraction: number) =>
    wanted.map(({ lower, upper, target }) => Math.max(lower, Math.min(upper, fraction * target)));
  const total = (fraction: number) => seatsAt(fraction).reduce((seats, each) => seats + each, 0);
  // Between two of these the total grows evenly.
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
