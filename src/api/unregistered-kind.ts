// The text for an object of a kind that nobody has registered, as Go's schemes give it.

/** What Kubernetes says of a configuration or a value whose type it does not know. */
export function unregisteredKind(kind: string, apiVersion: string): string {
  const [what, version] = [kind, apiVersion].map((text) => JSON.stringify(text));
  return `no kind ${what} is registered for version ${version} in scheme "pkg/runtime/scheme.go:110"`;
}
