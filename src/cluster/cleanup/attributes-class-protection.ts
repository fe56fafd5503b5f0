// Controller of the protection finalizer of VolumeAttributesClasses: a deleted class remains while volumes or claims name
// it.

import type { Controller } from '../../controllers/controller.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed, Informer } from '../informer.ts';
import { type Keys, reconciler } from '../reconciler.ts';

const NAME = 'volumeattributesclass-protection-controller';
const FINALIZER = 'kubernetes.io/vac-protection';
const GROUP = 'storage.k8s.io';
const RESOURCE = 'volumeattributesclasses';

/** It does nothing where the resource is not served. */
export function attributesClassProtection(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, NAME);
  return reconciler(context, {
    name: NAME,
    async begin(keys) {
      const { informers } = context;
      if (!informers.serves(GROUP, RESOURCE)) return async () => undefined;
      const classes = await informers.open<Informed>(GROUP, RESOURCE);
      const volumes = await informers.open<PersistentVolume>('', 'persistentvolumes');
      const claims = await informers.open<PersistentVolumeClaim>('', 'persistentvolumeclaims');
      const [ofVolumes, ofClaims] = [volumes.index(namedByVolume), claims.index(namedByClaim)];
      classes.follow({ changed: ({ metadata }) => keys.add(metadata.name ?? '') });
      followUsers(volumes, namedByVolume, keys);
      followUsers(claims, namedByClaim, keys);
      return async (name) => {
        const found = classes.get('', name);
        if (found === undefined) return undefined;
        const { finalizers = [], deletionTimestamp } = found.metadata;
        const isProtected = finalizers.includes(FINALIZER);
        const isUsed = ofVolumes.get(name).length > 0 || ofClaims.get(name).length > 0;
        const isToBe = deletionTimestamp === undefined || (isProtected && isUsed);
        if (isProtected === isToBe) return undefined;
        await objects.update<Informed>(classes, found, ({ metadata }) => {
          const others = (metadata.finalizers ?? []).filter((each) => each !== FINALIZER);
          metadata.finalizers = isToBe ? [...others, FINALIZER] : others;
          return true;
        });
        return undefined;
      };
    },
  });
}

/** Looks at the classes that an object no longer names. */
function followUsers<T extends Informed>(users: Informer<T>, namedBy: (user: T) => string[], keys: Keys): void {
  users.follow({
    changed: (user, previous) => {
      const still = new Set(namedBy(user));
      for (const name of previous === undefined ? [] : namedBy(previous)) if (!still.has(name)) keys.add(name);
    },
    removed: (user) => {
      for (const name of namedBy(user)) keys.add(name);
    },
  });
}

function namedByVolume({ spec }: PersistentVolume): string[] {
  return named(spec?.volumeAttributesClassName);
}

function namedByClaim({ spec, status }: PersistentVolumeClaim): string[] {
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = status ?? {};
  const target = modifyVolumeStatus?.targetVolumeAttributesClassName;
  return named(spec?.volumeAttributesClassName, currentVolumeAttributesClassName, target);
}

function named(...names: readonly (string | null | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined && name !== null && name !== ''))] as string[];
}
