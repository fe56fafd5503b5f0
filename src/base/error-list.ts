// Kubernetes' formatting of several errors as one text.

/** Without duplicates; in brackets if there are several. */
export function errorList(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? unique[0]! : `[${unique.join(', ')}]`;
}
