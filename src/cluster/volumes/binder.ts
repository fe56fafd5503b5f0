// Controller that binds claims to volumes, asks provisioners for volumes, and reclaims those of claims that are gone.

import type { Controller } from '../../controllers/controller.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { classOf } from '../scheduler/volumes/pod-claims.ts';
import { type BinderParts, openBinder } from './binder-parts.ts';
import { bindClaim } from './claim-binding.ts';
import { keepVolume } from './volume-reclaim.ts';
import { recycledBy } from './volume-recycling.ts';

export function volumeBinder(context: ClusterContext): Controller {
  return reconciler(context, {
    name: 'persistentvolume-binder-controller',
    async begin(keys) {
      const parts = await openBinder(context, keys);
      follow(parts, keys);
      return async (key) => {
        const { namespace, name } = splitKey(key);
        // Only keys of claims have a namespace.
        if (namespace === '') {
          const volume = parts.volumes.get('', name);
          return volume === undefined ? undefined : await keepVolume(parts, volume);
        }
        const claim = parts.claims.get(namespace, name);
        return claim === undefined ? undefined : await bindClaim(parts, claim);
      };
    },
  });
}

/** Has claims and volumes looked at when they or their counterparts change. */
function follow({ claims, volumes, classes, pods, recyclers, search }: BinderParts, keys: Keys): void {
  /** Claims by the name of their volume, and behind a slash unbound ones by class. */
  const claimsOf = claims.index((claim) => {
    const { volumeName = '' } = claim.spec ?? {};
    return [volumeName === '' ? `/${classOf(claim)}` : volumeName];
  });
  const addAll = (objects: readonly (PersistentVolume | PersistentVolumeClaim)[]) => {
    for (const object of objects) keys.add(keyOf(object));
  };
  claims.follow({
    changed: (claim, previous) => {
      keys.add(keyOf(claim));
      const isSame = previous?.metadata.uid === claim.metadata.uid;
      if (!isSame || previous?.spec?.volumeName !== claim.spec?.volumeName) addAll(search.claimedBy(keyOf(claim)));
    },
    removed: (claim) => {
      addAll(search.claimedBy(keyOf(claim)));
      if (claim.spec?.volumeName) keys.add(claim.spec.volumeName);
    },
  });
  volumes.follow({
    changed: (volume, previous) => {
      keys.add(keyOf(volume));
      if (previous === undefined) addAll(claimsOf.get(volume.metadata.name ?? ''));
      if (volume.status?.phase !== 'Available' || previous?.status?.phase === 'Available') return;
      const { claimRef } = volume.spec ?? {};
      const name = classOf(volume);
      if (claimRef !== undefined) keys.add(`${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`);
      // The scheduler chooses for claims that wait for a pod.
      else if (classes.get('', name)?.volumeBindingMode !== 'WaitForFirstConsumer') addAll(claimsOf.get(`/${name}`));
    },
    removed: ({ metadata, spec }) => {
      recyclers.delete(metadata.name ?? '');
      addAll(claimsOf.get(metadata.name ?? ''));
      if (spec?.claimRef !== undefined) keys.add(`${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`);
    },
  });
  const lookAtRecycled = (pod: Pod) => {
    const volume = recycledBy(pod);
    if (volume !== undefined && recyclers.has(volume)) keys.add(volume);
  };
  pods.follow({ changed: lookAtRecycled, removed: lookAtRecycled });
  classes.follow({
    changed: ({ metadata }) => addAll([...claimsOf.get(`/${metadata.name}`), ...claimsOf.get('/')]),
  });
}
