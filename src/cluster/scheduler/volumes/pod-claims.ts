// The persistent volume claims of a pod: those that are bound, those for which the scheduler finds a volume, and those that
// somebody else has to bind first.

import { ownMember } from '../../../api/own-member.ts';
import type { PersistentVolume } from '../../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../../resources/builtin/core/persistent-volume-claim/objects.ts';
import { controllerOf } from '../../owners.ts';
import { BETA_CLASS, BIND_COMPLETED } from '../../volumes/volume-names.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Sources } from '../sources.ts';

/** What a volume of a pod claims. */
interface NamedClaim {
  readonly name: string;
  /** Whether the claim is made for the pod, and goes with it. */
  readonly isEphemeral: boolean;
}

export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** Unbound ones whose class waits for the first pod. */
  readonly delayed: readonly PersistentVolumeClaim[];
  /** Other unbound ones. */
  readonly immediate: readonly PersistentVolumeClaim[];
}

/** The names of the claims of a pod, in the order of its volumes. */
export function claimNames({ pod }: PodInfo): readonly NamedClaim[] {
  return (pod.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }): NamedClaim[] => {
    if (persistentVolumeClaim !== undefined) {
      return [{ name: persistentVolumeClaim.claimName ?? '', isEphemeral: false }];
    }
    return ephemeral === undefined ? [] : [{ name: `${pod.metadata.name}-${name}`, isEphemeral: true }];
  });
}

/** Why a claim of a pod cannot be used, whatever the node. */
export function claimFault(pod: PodInfo, { name, isEphemeral }: NamedClaim, { claims }: Sources): string | undefined {
  const claim = claims.get(pod.namespace, name);
  if (claim === undefined) {
    if (!isEphemeral) return `persistentvolumeclaim "${name}" not found`;
    return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`;
  }
  if (claim.status?.phase === 'Lost') {
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
  }
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  return isEphemeral ? ownershipFault(pod, claim) : undefined;
}

function ownershipFault({ namespace, name, uid }: PodInfo, claim: PersistentVolumeClaim): string | undefined {
  if (controllerOf(claim)?.uid === uid) return undefined;
  const which = `${claim.metadata.namespace}/${claim.metadata.name}`;
  return `PVC ${which} was not created for pod ${namespace}/${name} (pod is not owner)`;
}

/** All claims of a pod, none of which has a fault. */
export function podClaims(pod: PodInfo, sources: Sources): PodClaims {
  const [bound, delayed, immediate]: PersistentVolumeClaim[][] = [[], [], []];
  for (const { name } of claimNames(pod)) {
    const claim = sources.claims.get(pod.namespace, name);
    if (claim === undefined) continue;
    if (isBound(claim)) bound!.push(claim);
    else if (waitsForPod(claim, sources) && (claim.spec?.volumeName ?? '') === '') delayed!.push(claim);
    else immediate!.push(claim);
  }
  return { bound: bound!, delayed: delayed!, immediate: immediate! };
}

/** Whether a claim and its volume belong to each other. */
export function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return (spec?.volumeName ?? '') !== '' && ownMember(metadata.annotations, BIND_COMPLETED) !== undefined;
}

/** Whether a claim is bound only when a pod needs it. */
function waitsForPod(claim: PersistentVolumeClaim, { storageClasses }: Sources): boolean {
  const name = classOf(claim);
  return name !== '' && storageClasses.get('', name)?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** The storage class of a claim or a volume; '' for none. */
export function classOf({ metadata, spec }: PersistentVolumeClaim | PersistentVolume): string {
  return ownMember(metadata.annotations, BETA_CLASS) ?? spec?.storageClassName ?? '';
}
