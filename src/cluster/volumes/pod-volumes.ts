// The CSI volumes of pods, found through their claims, and the nodes and pods that a change of one concerns.

import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Index, Informer } from '../informer.ts';
import { hasEnded } from '../pod-facts.ts';
import { keyOf } from '../reconciler.ts';
import { attachedName } from './driver-names.ts';
import { claimNameOf, podsByClaim } from './pod-claim-index.ts';

/** A volume that a pod on a node uses. */
export interface UsedVolume {
  readonly name: string;
  readonly volume: PersistentVolume;
  readonly claim: PersistentVolumeClaim;
}

export class PodVolumes {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly #pods: Informer<Pod>;
  readonly #podsOf: Index<Pod>;
  /** Pods with claims by node. */
  readonly #podsOn: Index<Pod>;

  private constructor(parts: {
    readonly claims: Informer<PersistentVolumeClaim>;
    readonly volumes: Informer<PersistentVolume>;
    readonly pods: Informer<Pod>;
  }) {
    this.claims = parts.claims;
    this.volumes = parts.volumes;
    this.#pods = parts.pods;
    this.#podsOf = podsByClaim(parts.pods);
    this.#podsOn = parts.pods.index((pod) => (pod.spec?.nodeName && hasClaims(pod) ? [pod.spec.nodeName] : []));
  }

  static async open({ informers }: Pick<ClusterContext, 'informers'>): Promise<PodVolumes> {
    const claims = await informers.open<PersistentVolumeClaim>('', 'persistentvolumeclaims');
    const volumes = await informers.open<PersistentVolume>('', 'persistentvolumes');
    return new PodVolumes({ claims, volumes, pods: await informers.open<Pod>('', 'pods') });
  }

  /** Reports the nodes whose pods use other volumes than before, or volumes that have changed. */
  follow(touch: (node: string) => void): void {
    const touchPods = (pods: readonly Pod[]) => {
      for (const { spec } of pods) if (spec?.nodeName) touch(spec.nodeName);
    };
    const changed = (pod: Pod) => void (hasClaims(pod) && touchPods([pod]));
    this.#pods.follow({ changed, removed: changed });
    const claimChanged = (claim: PersistentVolumeClaim) => touchPods(this.#podsOf.get(keyOf(claim)));
    this.claims.follow({ changed: claimChanged, removed: claimChanged });
    this.volumes.follow({ changed: (volume) => touchPods(this.podsWith(volume)) });
  }

  /** The pods that use the claim of a volume. */
  podsWith({ spec }: PersistentVolume): readonly Pod[] {
    return this.#podsOf.get(`${spec?.claimRef?.namespace ?? ''}/${spec?.claimRef?.name ?? ''}`);
  }

  /** Whether a pod on a node still uses a volume. */
  isUsedOn(volume: PersistentVolume, node: string): boolean {
    return this.podsWith(volume).some((pod) => pod.spec?.nodeName === node && !isOver(pod));
  }

  /** The pods on a node that use CSI volumes and have not ended, each with one of them. */
  *usedOn(node: string): Generator<UsedVolume & { readonly pod: Pod }> {
    for (const pod of this.#podsOn.get(node)) {
      if (isOver(pod)) continue;
      for (const used of this.#volumesOf(pod)) yield { ...used, pod };
    }
  }

  *#volumesOf(pod: Pod): Generator<UsedVolume> {
    const { namespace = '' } = pod.metadata;
    for (const each of pod.spec?.volumes ?? []) {
      const claim = this.claims.get(namespace, claimNameOf(pod, each) ?? '');
      if (claim?.status?.phase !== 'Bound') continue;
      const volume = this.volumes.get('', claim.spec?.volumeName ?? '');
      if (volume === undefined || volume.spec?.claimRef?.uid !== claim.metadata.uid) continue;
      const name = attachedName(volume);
      if (name !== undefined) yield { name, volume, claim };
    }
  }
}

function hasClaims(pod: Pod): boolean {
  return pod.spec?.volumes?.some((each) => claimNameOf(pod, each) !== undefined) === true;
}

/** Whether none of the containers of a pod can use a volume any more. */
function isOver(pod: Pod): boolean {
  if (hasEnded(pod)) return true;
  if (pod.metadata.deletionTimestamp === undefined) return false;
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status ?? {};
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].every(
    ({ state }) => state?.terminated !== undefined || state?.waiting !== undefined,
  );
}
