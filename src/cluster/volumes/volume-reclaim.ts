// What the binder does for a volume: it reports whether the volume is free, bound or released, and reclaims a released
// one by its policy.

import { ownMember } from '../../api/own-member.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import { keyOf } from '../reconciler.ts';
import { AGAIN_MS, type BinderParts } from './binder-parts.ts';
import { deleterOf } from './storage-plugins.ts';
import { MIGRATED_TO, PROVISIONED_BY } from './volume-names.ts';
import { recycle } from './volume-recycling.ts';
import { hasMode } from './volume-search.ts';

/** @returns after how many milliseconds to look again, if at all */
export async function keepVolume(parts: BinderParts, known: PersistentVolume): Promise<number | undefined> {
  const { writes, events, keys } = parts;
  const volume = await writes.migrateVolume(known);
  if (volume === undefined) return undefined;
  if ((volume.spec?.claimRef?.uid ?? '') === '') {
    await writes.setVolumePhase(volume, 'Available');
    return undefined;
  }
  const claim = claimOf(parts, volume);
  if (claim === undefined) return await release(parts, volume);
  const used = claim.spec?.volumeName ?? '';
  if (used === '') {
    if (hasMode(volume, claim)) {
      keys.add(keyOf(claim));
      return undefined;
    }
    const [name, claimName] = [volume.metadata.name, claim.metadata.name];
    const about = `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claimName}"`;
    events.warn(volume, 'VolumeMismatch', `${about} due to incompatible volumeMode.`);
    const told = `Cannot bind PersistentVolume "${name}" to requested PersistentVolumeClaim`;
    events.warn(claim, 'VolumeMismatch', `${told} due to incompatible volumeMode.`);
    return AGAIN_MS;
  }
  if (used === volume.metadata.name) {
    await writes.setVolumePhase(volume, 'Bound');
    return undefined;
  }
  const isMade = ownMember(volume.metadata.annotations, PROVISIONED_BY) !== undefined;
  if (isMade && volume.spec?.persistentVolumeReclaimPolicy === 'Delete') return await release(parts, volume);
  await writes.unbind(volume);
  return undefined;
}

/** The claim that a volume is reserved for, by its UID. */
function claimOf({ claims }: BinderParts, { spec }: PersistentVolume): PersistentVolumeClaim | undefined {
  const { namespace = '', name = '', uid } = spec?.claimRef ?? {};
  const claim = claims.get(namespace, name);
  return claim?.metadata.uid === uid ? claim : undefined;
}

async function release(parts: BinderParts, volume: PersistentVolume): Promise<number | undefined> {
  const { phase } = volume.status ?? {};
  const isKnown = phase === 'Released' || phase === 'Failed';
  const released = isKnown ? volume : await parts.writes.setVolumePhase(volume, 'Released');
  if (released === undefined || ownMember(released.metadata.annotations, MIGRATED_TO) !== undefined) return undefined;
  if (released.spec?.persistentVolumeReclaimPolicy === 'Delete') await remove(parts, released);
  if (released.spec?.persistentVolumeReclaimPolicy === 'Recycle') return await free(parts, released);
  return undefined;
}

async function remove(parts: BinderParts, volume: PersistentVolume): Promise<void> {
  const deleter = deleterOf(volume);
  if (deleter === 'other') return;
  if (deleter === 'own') await parts.objects.delete(parts.volumes, volume);
  else await fail(parts, volume, { reason: 'VolumeFailedDelete', message: deleter.fault });
}

/** Frees a volume once a pod has cleaned it. */
async function free(parts: BinderParts, volume: PersistentVolume): Promise<number | undefined> {
  const outcome = await recycle(parts, volume);
  if (outcome === 'waits') return undefined;
  if (outcome === 'clean') {
    parts.events.record(volume, 'VolumeRecycled', 'Volume recycled');
    await parts.writes.unbind(volume);
    return undefined;
  }
  await fail(parts, volume, { reason: 'VolumeFailedRecycle', message: outcome.fault });
  return AGAIN_MS;
}

async function fail(
  { writes, events }: BinderParts,
  volume: PersistentVolume,
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<void> {
  if (volume.status?.phase === 'Failed') return;
  await writes.setVolumePhase(volume, 'Failed', message);
  events.warn(volume, reason, message);
}
