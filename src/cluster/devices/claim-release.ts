// What becomes of a resource claim when its pods have ended: it is reserved for fewer pods, loses its devices with the last
// one, and goes if it was made for a pod.

import type { Draft } from '../../api/object.ts';
import type { ResourceClaim } from '../../resources/builtin/resource/v1-objects.ts';
import { controllerOf } from '../owners.ts';
import type { ClaimParts } from './claim-parts.ts';
import { isDone } from './pod-claims.ts';

/** Protects a claim while it has devices. */
const FINALIZER = 'resource.kubernetes.io/delete-protection';

/** Takes back what the pods of a claim do not use any more. */
export async function keepClaim(parts: ClaimParts, claim: ResourceClaim): Promise<void> {
  const { claims, objects } = parts;
  const before = claim.status?.reservedFor ?? [];
  const isUsed = before.some((each) => isValid(parts, claim, each));
  const isFewer = before.some((each) => !isValid(parts, claim, each));
  const isProtected = claim.metadata.finalizers?.includes(FINALIZER) === true;
  const isGoing = claim.metadata.deletionTimestamp !== undefined;
  if (isFewer || (isProtected && isGoing && !isUsed)) {
    const released = await objects.updateStatus<ResourceClaim>(claims, claim, (draft) => takeBack(parts, draft));
    if (released !== undefined && isProtected && released.status?.allocation === undefined) {
      await objects.update<ResourceClaim>(claims, released, ({ metadata, status }) => {
        if (status?.allocation !== undefined || !metadata.finalizers?.includes(FINALIZER)) return false;
        metadata.finalizers = metadata.finalizers.filter((each) => each !== FINALIZER);
        return true;
      });
    }
  }
  if (!isUsed && !isGoing && isLeft(parts, claim)) await objects.delete(claims, claim);
}

type Reservation = NonNullable<NonNullable<ResourceClaim['status']>['reservedFor']>[number];

/** Whether a claim is still needed by what it is reserved for. @throws Error for what is not a pod */
function isValid({ pods }: ClaimParts, { metadata }: ResourceClaim, reservation: Reservation): boolean {
  const { apiGroup = '', resource, name = '', uid } = reservation;
  if (apiGroup !== '' || resource !== 'pods') throw new Error(`unsupported ReservedFor entry: ${resource} ${name}`);
  const pod = pods.get(metadata.namespace ?? '', name);
  return pod !== undefined && pod.metadata.uid === uid && !isDone(pod);
}

/** @returns whether anything was taken */
function takeBack(parts: ClaimParts, claim: Draft<ResourceClaim>): boolean {
  const { reservedFor = [], ...rest } = claim.status ?? {};
  const valid = (reservedFor ?? []).filter((each) => isValid(parts, claim as ResourceClaim, each));
  const isProtected = claim.metadata.finalizers?.includes(FINALIZER) === true;
  const isFreed = valid.length === 0 && isProtected && rest.allocation !== undefined;
  if (valid.length === (reservedFor ?? []).length && !isFreed) return false;
  const { allocation, ...others } = rest;
  claim.status = {
    ...others,
    ...(allocation === undefined || isFreed ? {} : { allocation }),
    ...(valid.length === 0 ? {} : { reservedFor: valid }),
  };
  return true;
}

/** Whether a claim was made for a pod that has ended, or that is another one now. A missing pod's is garbage. */
function isLeft({ pods }: ClaimParts, claim: ResourceClaim): boolean {
  const owner = controllerOf(claim);
  if (owner?.kind !== 'Pod' || owner.apiVersion !== 'v1') return false;
  const pod = pods.get(claim.metadata.namespace ?? '', owner.name);
  return pod !== undefined && (pod.metadata.uid !== owner.uid || isDone(pod));
}
