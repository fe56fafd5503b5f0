// The kinds known to Kubernetes' schemes, which distinguish a body of another kind from one of an unknown kind.

import { parseApiVersion } from '../../api/group-version.ts';
import { isUnversionedKind } from '../../api/unregistered-kind.ts';
import { isRemovedKind, REMOVED_KINDS } from './removed-kinds.ts';
import { findBuiltinType, isBuiltinGroupVersion } from './types.ts';

/** Kinds in every version of every group. */
const OF_EVERY_VERSION = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
  'WatchEvent',
]);

/** Groups with a scheme of their own, which does not know other groups. */
const APART = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
/** Versions that Kubernetes does not register for the resources of its API. */
const NOWHERE = new Set(['apidiscovery.k8s.io/v2', 'audit.k8s.io/v1', 'meta.k8s.io/v1']);
/** Versions that are not served, whose kinds are known all the same. */
const UNSERVED = new Set([...Object.keys(REMOVED_KINDS), 'admission.k8s.io/v1beta1', 'imagepolicy.k8s.io/v1alpha1']);

/**
 * The Go package of a kind in the scheme of a group, as in Kubernetes' messages (`v1beta1`); undefined for an
 * unregistered kind.
 * @param group of the resource whose body is decoded
 * @param minor the release of Kubernetes 1 whose kinds are known
 */
export function registeredPackage(
  group: string,
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
  minor: number,
): string | undefined {
  if (isUnversionedKind(kind) || (kind === 'WatchEvent' && group === 'apiextensions.k8s.io')) return 'v1';
  const named = parseApiVersion(apiVersion);
  if (named === undefined || NOWHERE.has(apiVersion)) return undefined;
  if (!UNSERVED.has(apiVersion) && !isBuiltinGroupVersion(apiVersion, minor)) return undefined;
  const isOwn = APART.has(group) ? named.group === group : !APART.has(named.group);
  if (!isOwn && apiVersion !== 'v1') return undefined;
  if (OF_EVERY_VERSION.has(kind)) return 'v1';
  const isKnown =
    findBuiltinType(named.group, named.version, kind, minor) !== undefined || isRemovedKind(apiVersion, kind);
  return isOwn && isKnown ? named.version : undefined;
}
