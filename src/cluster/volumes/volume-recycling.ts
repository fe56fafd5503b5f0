// Recycling of released volumes: a pod deletes what is on a volume, which is then free for another claim. Deprecated in
// Kubernetes, whose controller still does it for host paths and NFS.

import type { Draft } from '../../api/object.ts';
import { parseQuantity, quantityValue } from '../../api/quantity.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { hasEnded } from '../pod-facts.ts';
import { keyOf } from '../reconciler.ts';
import { AGAIN_MS, type BinderParts } from './binder-parts.ts';

const NAMESPACE = 'default';
const PREFIX = 'recycler-for-';
const IMAGE = 'registry.k8s.io/build-image/debian-base:bookworm-v1.0.6';
const SCRIPT = 'test -e /scrub && find /scrub -mindepth 1 -delete && test -z "$(ls -A /scrub)" || exit 1';
/** How long the pod may take: at least so many seconds, and so many for each GiB. */
const LEAST_SECONDS = { hostPath: 60, nfs: 300 };
const SECONDS_OF_GIB = 30;
const GIB = 2n ** 30n;

/** The name of the volume that a pod recycles; undefined for any other pod. */
export function recycledBy({ metadata }: Pod): string | undefined {
  const { namespace, name = '' } = metadata;
  return namespace === NAMESPACE && name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

/** How a look at a volume ended: that it waits, that it is clean, or why it is not. */
type Outcome = 'waits' | 'clean' | { readonly fault: string };

/** Takes the next step of recycling a released volume: begins, waits for the pod, or removes it once it has ended. */
export async function recycle(parts: BinderParts, volume: PersistentVolume): Promise<Outcome> {
  const { namespace = '', name: claimName = '' } = volume.spec?.claimRef ?? {};
  const users = parts.podsOf.get(`${namespace}/${claimName}`).filter((pod) => !hasEnded(pod));
  if (users.length > 0 && parts.claims.get(namespace, claimName) === undefined) {
    const message = `Volume is used by pods: ${users.map(keyOf).sort().join()}`;
    parts.events.record(volume, 'VolumeFailedRecycle', message);
    parts.keys.addAfter(keyOf(volume), AGAIN_MS);
    return 'waits';
  }
  const made = recycler(volume);
  if (made === undefined) return { fault: 'No recycler plugin found for the volume!' };
  const { name = '' } = volume.metadata;
  const pod = parts.pods.get(NAMESPACE, `${PREFIX}${name}`);
  const begun = parts.recyclers.get(name);
  if (begun === undefined) {
    if (pod !== undefined) {
      await parts.objects.delete(parts.pods, pod);
      return failed('old recycler pod found, will retry later');
    }
    const created = await parts.objects.create<Pod>(parts.pods, made);
    parts.recyclers.set(name, created.metadata.uid ?? '');
    return 'waits';
  }
  if (pod !== undefined && pod.metadata.uid === begun && !hasEnded(pod)) return 'waits';
  parts.recyclers.delete(name);
  if (pod === undefined || pod.metadata.uid !== begun)
    return failed('failed to recycle volume: recycler pod was deleted');
  await parts.objects.delete(parts.pods, pod);
  if (pod.status?.phase === 'Succeeded') return 'clean';
  return failed(`failed to recycle volume: ${pod.status?.message || 'pod failed, pod.Status.Message unknown'}`);
}

function failed(why: string): Outcome {
  return { fault: `Recycle failed: ${why}` };
}

/** The pod that recycles a volume; undefined for a kind of volume that nothing recycles. */
function recycler({ metadata, spec }: PersistentVolume): Draft<Pod> | undefined {
  const { hostPath, nfs } = spec ?? {};
  if (hostPath === undefined && nfs === undefined) return undefined;
  const source =
    nfs === undefined ? { hostPath: { path: hostPath?.path } } : { nfs: { server: nfs.server, path: nfs.path } };
  const gib = quantityValue(parseQuantity(spec?.capacity?.['storage'] ?? '0')) / GIB;
  const least = nfs === undefined ? LEAST_SECONDS.hostPath : LEAST_SECONDS.nfs;
  return {
    metadata: { name: `${PREFIX}${metadata.name}`, namespace: NAMESPACE },
    spec: {
      activeDeadlineSeconds: Math.max(least, Number(gib) * SECONDS_OF_GIB),
      restartPolicy: 'Never',
      volumes: [{ name: 'vol', ...source }],
      containers: [
        {
          ...{ name: 'pv-recycler', image: IMAGE, command: ['/bin/sh'], args: ['-c', SCRIPT] },
          volumeMounts: [{ name: 'vol', mountPath: '/scrub' }],
        },
      ],
    },
  } as Draft<Pod>;
}
