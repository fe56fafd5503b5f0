// Names of API types: group, version, kind and resource, and their text forms.

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `v1` for the core group, otherwise `group/version`. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Parses an `apiVersion`; more than one slash is an error, as in Kubernetes. */
export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  const parts = apiVersion.split('/');
  if (parts.length === 1) return { group: '', version: parts[0] ?? '' };
  if (parts.length === 2) return { group: parts[0] ?? '', version: parts[1] ?? '' };
  return undefined;
}

/** The usual form of an `apiVersion`: Kubernetes reads `/v1` as `v1` and `/` as an empty one. Others are unchanged. */
export function canonicalApiVersion(apiVersion: string): string {
  const parsed = parseApiVersion(apiVersion);
  return parsed === undefined ? apiVersion : apiVersionOf(parsed);
}

/** `deployments.apps`, or `pods` in the core group: a resource or kind in messages. */
export function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}
