// Controller that makes the claims of generic ephemeral volumes: each belongs to its pod and goes with it.

import { isEnding } from '../../api/error-reasons.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Draft, JsonObject } from '../../api/object.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Volume } from '../../resources/builtin/core/volume/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import { controlledBy, controllerOf } from '../owners.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';
import { claimNameOf, podsByClaim } from './pod-claim-index.ts';

type ClaimTemplate = Pick<PersistentVolumeClaim, 'spec'> & { readonly metadata?: PersistentVolumeClaim['metadata'] };

export function ephemeralVolumeController(context: ClusterContext): Controller {
  const as = 'ephemeral-volume-controller';
  const objects = new ClusterObjects(context, as);
  const events = new ClusterEvents(context, { component: 'ephemeral_volume', as });
  return reconciler(context, {
    name: as,
    async begin(keys) {
      const pods = await context.informers.open<Pod>('', 'pods');
      const claims = await context.informers.open<PersistentVolumeClaim>('', 'persistentvolumeclaims');
      const podsOf = podsByClaim(pods);
      const look = (pod: Pod) => {
        const isNeeding = pod.metadata.deletionTimestamp === undefined && ephemeralVolumes(pod).length > 0;
        if (isNeeding) keys.add(keyOf(pod));
      };
      pods.follow({ changed: (pod, previous) => previous === undefined && look(pod) });
      claims.follow({ changed: () => {}, removed: (claim) => podsOf.get(keyOf(claim)).forEach(look) });
      return async (key) => {
        const { namespace, name } = splitKey(key);
        const pod = pods.get(namespace, name);
        if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
        for (const volume of ephemeralVolumes(pod)) {
          const tell = (fault: string) =>
            events.warn(pod, 'FailedBinding', `ephemeral volume ${volume.name}: ${fault}`);
          const claimName = claimNameOf(pod, volume) ?? '';
          const claim = claims.get(namespace, claimName);
          if (claim !== undefined) {
            if (controllerOf(claim)?.uid === pod.metadata.uid) continue;
            // Another look follows when that claim is gone.
            tell(`PVC ${namespace}/${claimName} was not created for pod ${namespace}/${name} (pod is not owner)`);
            return undefined;
          }
          try {
            await objects.create<PersistentVolumeClaim>(claims, claimFor(pod, volume, claimName));
          } catch (error) {
            if (isEnding(error)) return undefined;
            tell(`create PVC ${claimName}: ${messageOf(error)}`);
            throw error;
          }
        }
        return undefined;
      };
    },
  });
}

function ephemeralVolumes({ spec }: Pod): readonly Volume[] {
  return (spec?.volumes ?? []).filter(({ ephemeral }) => ephemeral !== undefined);
}

function claimFor(pod: Pod, { ephemeral }: Volume, name: string): Draft<PersistentVolumeClaim> {
  const { metadata, spec } = copyJson((ephemeral?.volumeClaimTemplate ?? {}) as JsonObject) as Draft<ClaimTemplate>;
  const { annotations, labels } = metadata ?? {};
  return {
    metadata: {
      ...{ namespace: pod.metadata.namespace ?? '', name, ownerReferences: [controlledBy(pod)] },
      ...(annotations === undefined ? {} : { annotations }),
      ...(labels === undefined ? {} : { labels }),
    },
    ...(spec === undefined ? {} : { spec }),
  };
}
