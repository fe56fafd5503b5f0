// Owners of the claims of a StatefulSet, by its retention policy: a claim that is to go with its set is owned by the set,
// one that is to go with a pod that is scaled away by that pod. Rules are Kubernetes'.

import type { OwnerReference } from '../../api/object.ts';
import type { StatefulSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Informed } from '../informer.ts';
import { controlledBy } from '../owners.ts';
import { isInRange } from './stateful-pods.ts';

interface Parties {
  readonly set: StatefulSet;
  readonly pod: Pod;
}

function policyOf({ spec }: StatefulSet): { readonly withSet: boolean; readonly withPod: boolean } {
  const { whenDeleted, whenScaled } = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return { withSet: whenDeleted === 'Delete', withPod: whenScaled === 'Delete' };
}

function refersTo({ kind, name, apiVersion }: OwnerReference, { metadata, ...owner }: Informed): boolean {
  return kind === owner.kind && name === metadata.name && apiVersion === owner.apiVersion;
}

function referencesOf({ metadata }: PersistentVolumeClaim): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

/** Whether a claim belongs to an earlier pod of the same name. */
export function isStaleFor({ set, pod }: Parties, claim: PersistentVolumeClaim): boolean {
  if (!policyOf(set).withPod) return false;
  return hasStaleOwner(claim, pod);
}

function hasStaleOwner(claim: PersistentVolumeClaim, owner: Informed): boolean {
  const reference = referencesOf(claim).find((each) => refersTo(each, owner));
  return reference !== undefined && reference.uid !== owner.metadata.uid;
}

/** Whether another one controls a claim that the policy would give to the set or the pod. */
export function hasOtherController({ set, pod }: Parties, claim: PersistentVolumeClaim): boolean {
  const { withSet, withPod } = policyOf(set);
  if (!withSet && !withPod) return false;
  return referencesOf(claim).some((each) => {
    if (refersTo(each, set)) return each.uid !== set.metadata.uid;
    if (refersTo(each, pod)) return each.uid !== pod.metadata.uid;
    return each.controller === true;
  });
}

/** The owners that a claim is to have; undefined if it has them. */
export function wantedOwners(parties: Parties, claim: PersistentVolumeClaim): OwnerReference[] | undefined {
  const { set, pod } = parties;
  if (hasStaleOwner(claim, set) || hasStaleOwner(claim, pod)) return undefined;
  const before = referencesOf(claim);
  const others = before.filter((each) => !refersTo(each, set) && !refersTo(each, pod));
  const next = hasOtherController(parties, claim) ? others : [...others, ...ownersByPolicy(parties)];
  const textOf = (list: readonly OwnerReference[]) => list.map(({ uid, controller }) => `${uid} ${controller}`).join();
  return textOf(before) === textOf(next) ? undefined : next;
}

function ownersByPolicy({ set, pod }: Parties): OwnerReference[] {
  const { withSet, withPod } = policyOf(set);
  const isScaledAway = !isInRange(set, pod);
  if (withPod && isScaledAway) return [controlledBy(pod)];
  return withSet ? [controlledBy(set)] : [];
}
