// The resource claims of a pod: named by it, or made for it from a template and named in its status.

import type { ResourceClaim } from '../../../resources/builtin/resource/v1-objects.ts';
import { controllerOf } from '../../owners.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Lister } from '../sources.ts';

/** The most pods that use one claim. Kubernetes' value. */
const MOST_USERS = 256;

/** All claims of a pod, or why one of them cannot be used. */
export function podResourceClaims(pod: PodInfo, claims: Lister<ResourceClaim>): readonly ResourceClaim[] | string {
  const found: ResourceClaim[] = [];
  for (const { name, resourceClaimName } of pod.pod.spec?.resourceClaims ?? []) {
    const made = pod.pod.status?.resourceClaimStatuses?.find((each) => each.name === name);
    if (resourceClaimName === undefined && made === undefined)
      return `pod "${pod.namespace}/${pod.name}": ResourceClaim not created yet`;
    const claimName = resourceClaimName ?? made?.resourceClaimName;
    // A template may turn out to need no claim.
    if (claimName === undefined) continue;
    const claim = claims.get(pod.namespace, claimName);
    if (claim === undefined) return `could not find ResourceClaim "${pod.namespace}/${claimName}"`;
    if (claim.metadata.deletionTimestamp !== undefined) return `resourceclaim "${claimName}" is being deleted`;
    if (resourceClaimName === undefined && controllerOf(claim)?.uid !== pod.uid) {
      return `ResourceClaim ${pod.namespace}/${claimName} was not created for pod ${pod.namespace}/${pod.name} (pod is not owner)`;
    }
    found.push(claim);
  }
  return found;
}

export function isReservedFor({ status }: ResourceClaim, { uid }: Pick<PodInfo, 'uid'>): boolean {
  return status?.reservedFor?.some((each) => each.uid === uid) ?? false;
}

/** Whether one more pod can use a claim. */
export function hasRoom({ status }: ResourceClaim): boolean {
  return (status?.reservedFor ?? []).length < MOST_USERS;
}
