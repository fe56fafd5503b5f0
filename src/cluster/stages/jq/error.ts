// Errors of jq expressions.

/** An expression that cannot be read. */
export class JqSyntaxError extends Error {
  override name = 'JqSyntaxError';
}

/** An expression that fails on its input. `?` and `try` catch it. */
export class JqError extends Error {
  override name = 'JqError';
}
