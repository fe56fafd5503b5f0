// The kinds that every group version has (DeleteOptions, WatchEvent), and which of them documents publish.

import { lookup } from '../../../base/lookup.ts';
import { isWithin, type Span } from '../../../schema/declared-struct.ts';
import { GROUP_VERSIONS } from './group-versions.ts';

const COMMON_KINDS: ReadonlySet<string> = new Set(['DeleteOptions', 'WatchEvent']);

/** The group/version/kinds of a kind that every group version has, in a minor release of Kubernetes 1. */
export function inEveryGroup(kind: string): (minor: number) => string[] {
  return (minor) =>
    Object.entries(GROUP_VERSIONS)
      .filter(([, span]) => isWithin(span, minor))
      .map(([groupVersion]) => `${groupVersion}/${kind}`);
}

/** The group versions that register Status as a kind of their own, with the last minor releases that do. */
const STATUS_AS_WELL: Readonly<Record<string, Span>> = lookup({
  'resource.k8s.io/v1alpha1': { since: 26, until: 26 },
  'resource.k8s.io/v1alpha2': { since: 27, until: 30 },
});

/** The group/version/kinds of Status in a minor release of Kubernetes 1. */
export function statusKinds(minor: number): string[] {
  const further = Object.entries(STATUS_AS_WELL).filter(([, span]) => isWithin(span, minor));
  return ['v1/Status', ...further.map(([groupVersion]) => `${groupVersion}/Status`)];
}

/**
 * Whether documents about one group version publish a kind: of the kinds that every group version has, only its own and
 * those of the core group.
 */
export function isToldOf(groupVersion: string, kind: string): boolean {
  const end = kind.lastIndexOf('/');
  if (!COMMON_KINDS.has(kind.slice(end + 1))) return true;
  const own = kind.slice(0, end);
  return own === groupVersion || own === 'v1';
}

/** Groups that Kubernetes' clients know nothing of: documents about custom resources omit them. */
const OF_SERVERS: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

/** Whether documents about custom resources publish a kind, by its group, version and name. */
export function isToldOfCustom(kind: string): boolean {
  return !OF_SERVERS.has(kind.slice(0, kind.indexOf('/')));
}
