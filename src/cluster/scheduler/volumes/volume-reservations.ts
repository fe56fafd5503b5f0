// Reservations of volumes: what was chosen for a pod is assumed, written, and waited for.

import type { PersistentVolume } from '../../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../../resources/builtin/core/pod/objects.ts';
import type { ClusterObjects } from '../../cluster-objects.ts';
import type { ClusterContext } from '../../context.ts';
import type { Informer } from '../../informer.ts';
import type { Reservation } from '../filter.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Snapshot } from '../snapshot.ts';
import { AssumedObjects } from './assumed-objects.ts';
import { type AssumedVolumes, giveBackChoice, takeChoice, type VolumeChoice } from './volume-choice.ts';
import { VolumeWrites } from './volume-writes.ts';

export interface VolumeReservations {
  /** Claims and volumes with what is reserved of them. */
  readonly assumed: AssumedVolumes;
  readonly reserve: (choice: VolumeChoice, pod: PodInfo, node: string) => Reservation;
  readonly stop: () => void;
}

export async function openVolumes(
  { informers, clock }: Pick<ClusterContext, 'informers' | 'clock'>,
  parts: { readonly pods: Informer<Pod>; readonly objects: ClusterObjects; readonly snapshot: Snapshot },
): Promise<VolumeReservations> {
  const { pods, objects, snapshot } = parts;
  const claims = await informers.open<PersistentVolumeClaim>('', 'persistentvolumeclaims');
  const volumes = await informers.open<PersistentVolume>('', 'persistentvolumes');
  const assumed = { claims: new AssumedObjects(claims), volumes: new AssumedObjects(volumes) };
  const writes = new VolumeWrites({ informers: { pods, claims, volumes }, objects, clock, snapshot });
  return {
    assumed,
    reserve: (choice, pod, node) => ({
      by: 'VolumeBinding',
      take: () => takeChoice(choice, node, assumed),
      giveBack: () => giveBackChoice(choice, assumed),
      write: () => writes.write(choice, node),
      ready: () => writes.bound(pod, choice, node),
    }),
    stop: () => writes.stop(),
  };
}
