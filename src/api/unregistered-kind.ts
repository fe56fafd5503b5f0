// Texts for objects of kinds that nobody has registered, and of another version than expected, as Go's schemes give them.

/** What Kubernetes says of a configuration or a value whose type it does not know. */
export function unregisteredKind(kind: string, apiVersion: string): string {
  const [what, version] = [kind, apiVersion].map((text) => JSON.stringify(text));
  return `no kind ${what} is registered for version ${version} in scheme "pkg/runtime/scheme.go:110"`;
}

const UNVERSIONED = new Set(['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList']);

/** Whether every scheme knows a kind, under any version. */
export function isUnversionedKind(kind: string): boolean {
  return UNVERSIONED.has(kind);
}

interface NamedType {
  readonly kind: string;
  /** `admission.k8s.io/v1` */
  readonly apiVersion: string;
}

/** What is wrong with the type that an answer names; undefined for the one expected. The kinds have v1 and v1beta1. */
export function typeFault(named: NamedType, expected: NamedType): string | undefined {
  if (named.kind === expected.kind && named.apiVersion === expected.apiVersion) return undefined;
  const [group, wanted] = expected.apiVersion.split('/');
  const own = ['v1', 'v1beta1'].find((each) => named.apiVersion === `${group}/${each}`);
  const version = isUnversionedKind(named.kind) ? 'v1' : named.kind === expected.kind ? own : undefined;
  if (version === undefined) return unregisteredKind(named.kind, named.apiVersion);
  return `converting (${version}.${named.kind}) to (${wanted}.${expected.kind}): unknown conversion`;
}
