// Search for a volume that a claim can be bound to, among those that are free or reserved for it.

import { labelSelectorOf } from '../../api/label-selector.ts';
import type { JsonObject } from '../../api/object.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Index, Informer } from '../informer.ts';
import { keyOf } from '../reconciler.ts';
import { classOf } from '../scheduler/volumes/pod-claims.ts';
import { hasAccess, isFor, requestedSize, sizeOf } from '../scheduler/volumes/volume-matching.ts';

export class VolumeSearch {
  /** Volumes without a claim by class, each behind a slash. */
  readonly #free: Index<PersistentVolume>;
  /** Volumes with a claim by its key. */
  readonly #claimed: Index<PersistentVolume>;

  constructor(volumes: Informer<PersistentVolume>) {
    this.#free = volumes.index((volume) => (volume.spec?.claimRef === undefined ? [`/${classOf(volume)}`] : []));
    this.#claimed = volumes.index(({ spec }) =>
      spec?.claimRef === undefined ? [] : [`${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`],
    );
  }

  /** The volumes whose claimRef has this key. */
  claimedBy(claimKey: string): readonly PersistentVolume[] {
    return this.#claimed.get(claimKey);
  }

  /**
   * The volume for a claim: of those with the fewest access modes the one that is reserved for it, or the smallest.
   * @param isDelayed whether only reserved ones count, because the scheduler chooses among the others
   */
  find(claim: PersistentVolumeClaim, isDelayed: boolean): PersistentVolume | undefined {
    const selector = claim.spec?.selector;
    const wanted = selector === undefined ? undefined : labelSelectorOf(selector as unknown as JsonObject);
    let best: PersistentVolume | undefined;
    for (const volume of this.#claimed.get(keyOf(claim))) {
      if (isFor(volume, claim) && isFit(volume, claim)) best = betterOf(best, volume);
    }
    if (isDelayed) return best;
    for (const volume of this.#free.get(`/${classOf(claim)}`)) {
      if (volume.status?.phase !== 'Available' || !isFit(volume, claim)) continue;
      if (wanted?.matches(volume.metadata.labels) !== false) best = betterOf(best, volume);
    }
    return best;
  }
}

function betterOf(best: PersistentVolume | undefined, next: PersistentVolume): PersistentVolume {
  if (best === undefined) return next;
  const [bestModes, nextModes] = [best, next].map(({ spec }) => new Set(spec?.accessModes).size);
  if (bestModes !== nextModes) return nextModes! < bestModes! ? next : best;
  // A reserved one was found first.
  if (best.spec?.claimRef !== undefined) return best;
  return sizeOf(next) < sizeOf(best) ? next : best;
}

/** Whether a volume is large enough and of the right kind, and stays. */
function isFit(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    volume.metadata.deletionTimestamp === undefined &&
    sizeOf(volume) >= requestedSize(claim) &&
    hasMode(volume, claim) &&
    hasAttributes(volume, claim) &&
    hasAccess(volume, claim)
  );
}

/** Why a volume that a claim names cannot be bound to it. */
export function mismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) {
    return `the volume is marked for deletion "${volume.metadata.name}"`;
  }
  if (sizeOf(volume) < requestedSize(claim)) return 'requested PV is too small';
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if (!hasAttributes(volume, claim)) return 'volumeAttributesClassName does not match';
  if (!hasMode(volume, claim)) return 'incompatible volumeMode';
  return hasAccess(volume, claim) ? undefined : 'incompatible accessMode';
}

/** Whether a volume has the mode that a claim wants: a file system or a device. */
export function hasMode(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (volume.spec?.volumeMode ?? 'Filesystem') === (claim.spec?.volumeMode ?? 'Filesystem');
}

function hasAttributes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (volume.spec?.volumeAttributesClassName ?? '') === (claim.spec?.volumeAttributesClassName ?? '');
}
