// The limits of CEL expressions and regular expressions, as part of `limits`.

export const expressionLimits = {
  /** Cached regular expressions (of schemas and expressions) and time zones. */
  rememberedRegexes: 256,
  rememberedTimeZones: 64,
  /**
   * Instructions of a pattern in a new schema: compiling cannot pause, and takes 1 to 3 microseconds for each. RE2
   * allows more than a million.
   */
  patternInstructions: 10_000,
  /** Length of a CEL expression in code points, and its nesting depth. cel-go's values. */
  expressionCodePoints: 100_000,
  expressionDepth: 250,
  /**
   * Nodes of an expression's tree, because macros that repeat their operands could make any number from a short text.
   */
  expressionNodes: 250_000,
  /** Reported syntax errors, recovery attempts, and tokens skipped by one attempt. cel-go's values. */
  expressionSyntaxErrors: 100,
  expressionRecoveries: 30,
  expressionRecoveryTokens: 256,
  /** URL query parameters available to an expression; with more there are none. Go's value. */
  urlQueryParameters: 10_000,
  /** Steps of type checking for one expression: a base number, plus a number per node. */
  typingSteps: 20_000,
  typingStepsPerNode: 200,
  /** Characters of a shard selector, some fifty ranges; longer ones are refused. */
  shardSelectorCharacters: 4096,
} as const;
