// Errors of Go's schemes for objects of unregistered kinds, and of unexpected versions.

/**
 * Kubernetes' error for a configuration or value of an unknown type.
 * @param minor the minor release of Kubernetes 1 whose words these are
 */
export function unregisteredKind(kind: string, apiVersion: string, minor?: number): string {
  const [what, version] = [kind, apiVersion].map((text) => JSON.stringify(text));
  return `no kind ${what} is registered for version ${version} ${inScheme(minor)}`;
}

/** How messages name a scheme: by the line of Kubernetes' source that makes it, in a minor release of Kubernetes 1. */
export function inScheme(minor: number = SERVED): string {
  const line = LINES.findLast(([since]) => since <= minor)?.[1];
  return `in scheme "pkg/runtime/scheme.go:${line}"`;
}

/** The release that is served by default. */
const SERVED = 34;
const LINES: readonly (readonly [since: number, line: number])[] = [
  [0, 100],
  [33, 110],
  [35, 111],
];

const UNVERSIONED = new Set(['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList']);

/** Whether every scheme has a kind, in any version. */
export function isUnversionedKind(kind: string): boolean {
  return UNVERSIONED.has(kind);
}

interface NamedType {
  readonly kind: string;
  /** `admission.k8s.io/v1` */
  readonly apiVersion: string;
}

/** The error for the type in a response; undefined for the expected one. The kinds have v1 and v1beta1. */
export function typeFault(named: NamedType, expected: NamedType): string | undefined {
  if (named.kind === expected.kind && named.apiVersion === expected.apiVersion) return undefined;
  const [group, wanted] = expected.apiVersion.split('/');
  const own = ['v1', 'v1beta1'].find((each) => named.apiVersion === `${group}/${each}`);
  const version = isUnversionedKind(named.kind) ? 'v1' : named.kind === expected.kind ? own : undefined;
  if (version === undefined) return unregisteredKind(named.kind, named.apiVersion);
  return `converting (${version}.${named.kind}) to (${wanted}.${expected.kind}): unknown conversion`;
}
