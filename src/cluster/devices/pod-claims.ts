// The resource claims of a pod by the entries of its spec: named there, or made from a template and named in its status.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ResourceClaim } from '../../resources/builtin/resource/v1-objects.ts';
import { hasEnded } from '../pod-facts.ts';

export type PodResourceClaim = NonNullable<NonNullable<Pod['spec']>['resourceClaims']>[number];

/** The name of the claim of an entry: undefined if there is none yet, null if none is needed. */
export function claimNameOf(
  { status }: Pod,
  { name, resourceClaimName, resourceClaimTemplateName }: PodResourceClaim,
): string | null | undefined {
  if (resourceClaimName !== undefined) return resourceClaimName;
  const made = status?.resourceClaimStatuses?.find((each) => each.name === name);
  if (resourceClaimTemplateName === undefined || made === undefined) return undefined;
  return made.resourceClaimName ?? null;
}

/** Whether a pod will not use its claims any more. */
export function isDone(pod: Pod): boolean {
  return hasEnded(pod) || (pod.metadata.deletionTimestamp !== undefined && (pod.spec?.nodeName ?? '') === '');
}

/** Whether a claim has devices that a pod with a node may use, but is not reserved for it. */
export function isToReserve(pod: Pod, claim: ResourceClaim): boolean {
  if ((pod.spec?.nodeName ?? '') === '' || claim.status?.allocation === undefined) return false;
  return claim.status.reservedFor?.some(({ uid }) => uid === pod.metadata.uid) !== true;
}
