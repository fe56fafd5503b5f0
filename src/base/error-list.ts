// Several errors as the one text that Kubernetes makes of them.

/** Each once; in brackets when there are more than one. */
export function errorList(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? unique[0]! : `[${unique.join(', ')}]`;
}
