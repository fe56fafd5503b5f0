// Resizer of the simulated driver: a volume grows with its claim. The file system on it grows once a node has the volume.

import type { Draft } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';
import { amountOf } from '../scheduler/amounts.ts';
import { sizeOf } from '../scheduler/volumes/volume-matching.ts';
import { DRIVER } from './driver-names.ts';
import { grow, resizing } from './resize-status.ts';

const PENDING = 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.';

export function resizer(context: ClusterContext): Controller {
  const who = { as: 'simulated-storage', userAgent: 'csi-resizer' };
  const objects = new ClusterObjects(context, who.as, who.userAgent);
  const events = new ClusterEvents(context, { component: `external-resizer ${DRIVER}`, ...who });
  return reconciler(context, {
    name: 'volume-resizer',
    async begin(keys) {
      const claims = await context.informers.open<PersistentVolumeClaim>('', 'persistentvolumeclaims');
      const volumes = await context.informers.open<PersistentVolume>('', 'persistentvolumes');
      claims.follow({ changed: (each) => isWanting(each) && keys.add(keyOf(each)) });
      return async (key) => {
        const { namespace, name } = splitKey(key);
        const claim = claims.get(namespace, name);
        const volume = volumes.get('', claim?.spec?.volumeName ?? '');
        const size = ownMember(claim?.spec?.resources?.requests, 'storage');
        if (claim === undefined || volume?.spec?.csi?.driver !== DRIVER || size === undefined) return undefined;
        if (volume.spec.claimRef?.uid !== claim.metadata.uid || !isWanting(claim)) return undefined;
        const isPending = (resizing(claim) ?? '').startsWith('NodeResize');
        if (isPending && sizeOf(volume) >= amountOf('storage', size)) return undefined;
        const now = timestamp(context.clock.now());
        const mark = (change: (status: ClaimStatus) => void) =>
          objects.updateStatus<PersistentVolumeClaim>(claims, claim, (draft) => {
            change((draft.status ??= {}));
            return true;
          });
        await mark((status) => {
          status.allocatedResources = { ...status.allocatedResources, storage: size };
          grow(status, 'ControllerResizeInProgress', { type: 'Resizing', status: 'True', lastTransitionTime: now });
        });
        events.record(claim, 'Resizing', `External resizer is resizing volume ${volume.metadata.name}`);
        await objects.update<PersistentVolume>(volumes, volume, ({ spec }) => {
          if (spec === undefined) return false;
          spec.capacity = { ...spec.capacity, storage: size };
          return true;
        });
        if (volume.spec.volumeMode === 'Block') {
          await mark((status) => {
            status.capacity = { ...status.capacity, storage: size };
            grow(status);
          });
          events.record(claim, 'VolumeResizeSuccessful', 'Resize volume succeeded');
          return undefined;
        }
        const pending = { type: 'FileSystemResizePending', status: 'True', lastTransitionTime: now, message: PENDING };
        await mark((status) => grow(status, 'NodeResizePending', pending));
        events.record(claim, 'FileSystemResizeRequired', 'Require file system resize of volume on node');
        return undefined;
      };
    },
  });
}

type ClaimStatus = NonNullable<Draft<PersistentVolumeClaim>['status']>;

/** Whether a bound claim wants more than it has. */
function isWanting({ metadata, spec, status }: PersistentVolumeClaim): boolean {
  const [wanted, had] = [ownMember(spec?.resources?.requests, 'storage'), ownMember(status?.capacity, 'storage')];
  if (status?.phase !== 'Bound' || metadata.deletionTimestamp !== undefined) return false;
  return amountOf('storage', wanted ?? '0') > amountOf('storage', had ?? '0');
}
