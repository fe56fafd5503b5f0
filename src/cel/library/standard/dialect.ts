// Differences in the standard library between versions of cel-go.

export interface StandardDialect {
  /** Whether the estimated cost of `matches(text, pattern)` depends on its operands; off by default. */
  readonly pricesGlobalMatches?: boolean;
  /** Whether `duration(1)` compiles, although it always fails; on by default. */
  readonly durationsOfInts?: boolean;
}
