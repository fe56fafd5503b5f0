// Kubernetes' priorities of groups and versions: their order in discovery, and the values in APIServices. Larger comes
// first.

import type { GroupVersion } from '../../api/group-version.ts';
import { ownMember } from '../../api/own-member.ts';
import { lookup } from '../../base/lookup.ts';
import { isSince } from '../../lifecycle/version.ts';

interface GroupPriority {
  /** groupPriorityMinimum of the group's APIServices. */
  readonly group: number;
  /** versionPriority of each version. */
  readonly versions: Readonly<Record<string, number>>;
}

/**
 * The priorities of the built-in groups, except apiregistration.k8s.io, which has no APIService and comes first after
 * the core group.
 */
const GROUP_PRIORITIES: Readonly<Record<string, GroupPriority>> = lookup<GroupPriority>({
  '': { group: 18000, versions: { v1: 1 } },
  apps: { group: 17800, versions: { v1: 15 } },
  'events.k8s.io': { group: 17750, versions: { v1: 15, v1beta1: 5 } },
  'authentication.k8s.io': { group: 17700, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'authorization.k8s.io': { group: 17600, versions: { v1: 15 } },
  autoscaling: { group: 17500, versions: { v2: 30, v1: 15, v2beta1: 9, v2beta2: 1 } },
  batch: { group: 17400, versions: { v1: 15, v1beta1: 9 } },
  'certificates.k8s.io': { group: 17300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'networking.k8s.io': { group: 17200, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  policy: { group: 17100, versions: { v1: 15, v1beta1: 9 } },
  'rbac.authorization.k8s.io': { group: 17000, versions: { v1: 15 } },
  'storage.k8s.io': { group: 16800, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'admissionregistration.k8s.io': { group: 16700, versions: { v1: 15, v1beta1: 12, v1alpha1: 9 } },
  'apiextensions.k8s.io': { group: 16700, versions: { v1: 15 } },
  'scheduling.k8s.io': { group: 16600, versions: { v1: 15, v1beta1: 9, v1alpha3: 3, v1alpha2: 2, v1alpha1: 1 } },
  'coordination.k8s.io': { group: 16500, versions: { v1: 15, v1beta1: 13, v1alpha2: 12, v1alpha1: 9 } },
  'node.k8s.io': { group: 16300, versions: { v1: 15, v1beta1: 9 } },
  'discovery.k8s.io': { group: 16200, versions: { v1: 15, v1beta1: 12 } },
  'resource.k8s.io': { group: 16200, versions: { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1 } },
  'flowcontrol.apiserver.k8s.io': { group: 16100, versions: { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12 } },
  'internal.apiserver.k8s.io': { group: 16000, versions: { v1alpha1: 9 } },
  'storagemigration.k8s.io': { group: 15800, versions: { v1: 15, v1beta1: 9, v1alpha1: 9 } },
  'lifecycle.k8s.io': { group: 15700, versions: { v1alpha1: 1 } },
});

/** The priorities of groups that had others before a minor release. */
const EARLIER: readonly { readonly before: number; readonly group: string; readonly priority: GroupPriority }[] = [
  { before: 32, group: 'resource.k8s.io', priority: { group: 15900, versions: { v1alpha3: 9, v1alpha2: 9 } } },
];

/**
 * The priorities of a built-in group in a minor release of Kubernetes 1; undefined for apiregistration.k8s.io, and for
 * groups that are not built in.
 */
export function prioritiesIn(group: string, minor: number): GroupPriority | undefined {
  const earlier = EARLIER.find((each) => each.group === group && !isSince({ minor }, each.before));
  return earlier?.priority ?? GROUP_PRIORITIES[group];
}

/** The priority of the groups and versions of custom resources. */
export const CUSTOM_PRIORITY = { group: 1000, version: 100 } as const;

const FIRST = Number.MAX_SAFE_INTEGER;

export function groupPriority(group: string, minor: number): number {
  if (group === 'apiregistration.k8s.io') return FIRST;
  return prioritiesIn(group, minor)?.group ?? CUSTOM_PRIORITY.group;
}

export function versionPriority({ group, version }: GroupVersion, minor: number): number {
  return ownMember(prioritiesIn(group, minor)?.versions, version) ?? CUSTOM_PRIORITY.version;
}
