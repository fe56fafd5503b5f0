// Controller that expands volumes whose claims have grown. None is left that kube-controller-manager expands itself: it
// tells that somebody else has to, and which driver a former plugin has moved to.

import { ownMember } from '../../api/own-member.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';
import { amountOf } from '../scheduler/amounts.ts';
import { requestedSize } from '../scheduler/volumes/volume-matching.ts';
import { driverOf, pluginOf } from './storage-plugins.ts';

const RESIZER = 'volume.kubernetes.io/storage-resizer';

export function volumeExpander(context: ClusterContext): Controller {
  const as = 'expand-controller';
  const objects = new ClusterObjects(context, as);
  const events = new ClusterEvents(context, { component: 'volume_expand', as });
  return reconciler(context, {
    name: 'persistentvolume-expander-controller',
    async begin(keys) {
      const claims = await context.informers.open<PersistentVolumeClaim>('', 'persistentvolumeclaims');
      const volumes = await context.informers.open<PersistentVolume>('', 'persistentvolumes');
      claims.follow({
        changed: (claim, previous) => {
          if (claim.status?.phase !== 'Bound') return;
          const hasGrown =
            previous === undefined ||
            requestedSize(claim) > requestedSize(previous) ||
            actual(claim) > actual(previous);
          if (hasGrown) keys.add(keyOf(claim));
        },
      });
      return async (key) => {
        const { namespace, name } = splitKey(key);
        const claim = claims.get(namespace, name);
        const volume = volumes.get('', claim?.spec?.volumeName ?? '');
        if (claim === undefined || volume === undefined) return undefined;
        if (volume.spec?.claimRef?.uid !== claim.metadata.uid) return undefined;
        if (requestedSize(claim) <= actual(claim)) return undefined;
        const plugin = pluginOf(volume);
        if (plugin === undefined) {
          events.record(claim, 'ExternalExpanding', 'waiting for an external controller to expand this PVC');
          return undefined;
        }
        const message = `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`;
        events.record(claim, 'ExternalExpanding', message);
        await objects.updateStatus<PersistentVolumeClaim>(claims, claim, ({ metadata }) => {
          const driver = driverOf(plugin) ?? '';
          if (ownMember(metadata.annotations, RESIZER) === driver) return false;
          metadata.annotations = { ...metadata.annotations, [RESIZER]: driver };
          return true;
        });
        return undefined;
      };
    },
  });
}

function actual({ status }: PersistentVolumeClaim): number {
  return amountOf('storage', ownMember(status?.capacity, 'storage') ?? '0');
}
