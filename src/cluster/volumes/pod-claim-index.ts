// Pods by the claims that they use, including those that are made for them.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Volume } from '../../resources/builtin/core/volume/objects.ts';
import type { Index, Informer } from '../informer.ts';

/** The name of the claim behind a volume of a pod; undefined if there is none. */
export function claimNameOf({ metadata }: Pod, { name = '', persistentVolumeClaim, ephemeral }: Volume) {
  if (persistentVolumeClaim !== undefined) return persistentVolumeClaim.claimName;
  return ephemeral === undefined ? undefined : `${metadata.name}-${name}`;
}

/** The pods that use a claim, by its namespace and name. */
export function podsByClaim(pods: Informer<Pod>): Index<Pod> {
  return pods.index((pod) => {
    const names = (pod.spec?.volumes ?? []).map((volume) => claimNameOf(pod, volume));
    return names.filter((name) => name !== undefined).map((name) => `${pod.metadata.namespace ?? ''}/${name}`);
  });
}
