// What a pod needs before its containers can be created: ConfigMaps, Secrets and bound claims. Pods that miss something
// are looked at again when it appears.

import { ownMember } from '../../api/own-member.ts';
import type { ConfigMap, Secret } from '../../resources/builtin/core/config/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Volume } from '../../resources/builtin/core/volume/objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed, Informer } from '../informer.ts';
import type { PodContainer } from './container-kinds.ts';
import type { MissingVolume } from './pod-world.ts';

/** A server without a certificate authority does not publish this one, and its pods run nevertheless. */
const ROOT_CA = 'kube-root-ca.crt';

/** How long the kubelet waits for the volumes of a pod. */
const LONGEST_MOUNT_MS = 123_000;

/** A reference to an object, or to a key in it, that may be optional. */
interface Reference {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

export class PodNeeds {
  readonly #configMaps: Informer<ConfigMap>;
  readonly #secrets: Informer<Secret>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  /** The keys of pods that wait for an object, by its resource, namespace and name. */
  readonly #waiting = new Map<string, Set<string>>();
  /** What each pod waits for. */
  readonly #awaited = new Map<string, Set<string>>();

  private constructor(
    configMaps: Informer<ConfigMap>,
    secrets: Informer<Secret>,
    claims: Informer<PersistentVolumeClaim>,
  ) {
    this.#configMaps = configMaps;
    this.#secrets = secrets;
    this.#claims = claims;
  }

  /** @param wake looks at a pod again */
  static async open({ informers }: ClusterContext, wake: (podKey: string) => void): Promise<PodNeeds> {
    const needs = new PodNeeds(
      await informers.open<ConfigMap>('', 'configmaps'),
      await informers.open<Secret>('', 'secrets'),
      await informers.open<PersistentVolumeClaim>('', 'persistentvolumeclaims'),
    );
    for (const informer of [needs.#configMaps, needs.#secrets, needs.#claims] as Informer<Informed>[]) {
      informer.follow({
        changed: ({ metadata }) => {
          const key = placeKey(informer, metadata.namespace ?? '', metadata.name ?? '');
          for (const pod of [...(needs.#waiting.get(key) ?? [])]) {
            needs.forget(pod);
            wake(pod);
          }
        },
      });
    }
    return needs;
  }

  /** A pod no longer waits for anything. */
  forget(podKey: string): void {
    for (const key of this.#awaited.get(podKey) ?? []) {
      const pods = this.#waiting.get(key);
      pods?.delete(podKey);
      if (pods?.size === 0) this.#waiting.delete(key);
    }
    this.#awaited.delete(podKey);
  }

  /** Why a container cannot be created; undefined if it can. */
  missingConfig(pod: Pod, podKey: string, { spec }: PodContainer): string | undefined {
    const namespace = pod.metadata.namespace ?? '';
    const fault = (informer: Informer<ConfigMap> | Informer<Secret>, reference: Reference | undefined) =>
      reference === undefined ? undefined : this.#fault(informer, { ...reference, namespace, podKey });
    for (const { configMapRef, secretRef } of spec.envFrom ?? []) {
      const found = fault(this.#configMaps, configMapRef) ?? fault(this.#secrets, secretRef);
      if (found !== undefined) return found;
    }
    for (const { valueFrom } of spec.env ?? []) {
      const found =
        fault(this.#configMaps, valueFrom?.configMapKeyRef) ?? fault(this.#secrets, valueFrom?.secretKeyRef);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  missingVolumes(pod: Pod, podKey: string): MissingVolume[] {
    return (pod.spec?.volumes ?? []).flatMap((volume) => {
      const { name = '' } = volume;
      const source = this.#sourceFault(pod, podKey, volume);
      if (source !== undefined) return [{ volume: name, message: source, toldAfterMs: 0 }];
      const claim = this.#claimFault(pod, podKey, volume);
      return claim === undefined ? [] : [{ volume: name, message: claim, toldAfterMs: LONGEST_MOUNT_MS }];
    });
  }

  #sourceFault(pod: Pod, podKey: string, { name, configMap, secret, projected }: Volume): string | undefined {
    const place = { namespace: pod.metadata.namespace ?? '', podKey };
    const faults: string[] = [];
    const need = (informer: Informer<ConfigMap> | Informer<Secret>, reference: Reference | undefined) => {
      const fault = reference === undefined ? undefined : this.#fault(informer, { ...reference, ...place });
      if (fault !== undefined) faults.push(fault);
    };
    need(this.#configMaps, configMap);
    need(this.#secrets, secret && { ...secret, ...(secret.secretName !== undefined && { name: secret.secretName }) });
    for (const each of projected?.sources ?? []) {
      if (each.configMap?.name !== ROOT_CA) need(this.#configMaps, each.configMap);
      need(this.#secrets, each.secret);
    }
    if (faults.length === 0) return undefined;
    const cause = faults.length === 1 ? faults[0] : `[${[...new Set(faults)].join(', ')}]`;
    return `MountVolume.SetUp failed for volume "${name}" : ${cause}`;
  }

  #claimFault(pod: Pod, podKey: string, { name = '', persistentVolumeClaim, ephemeral }: Volume): string | undefined {
    const generic = ephemeral === undefined ? undefined : `${pod.metadata.name}-${name}`;
    const claimName = persistentVolumeClaim?.claimName ?? generic;
    if (claimName === undefined) return undefined;
    const namespace = pod.metadata.namespace ?? '';
    const claim = this.#claims.get(namespace, claimName);
    if (claim?.status?.phase === 'Bound') return undefined;
    this.#wait(this.#claims, { namespace, name: claimName, podKey });
    const cause =
      claim === undefined
        ? `failed to fetch PVC from API server: persistentvolumeclaims "${claimName}" not found`
        : 'PVC is not bound';
    const volumes = `unmounted volumes=[${name}], unattached volumes=[], failed to process volumes=[${name}]`;
    return `Unable to attach or mount volumes: ${volumes}: error processing PVC ${namespace}/${claimName}: ${cause}`;
  }

  #fault(
    informer: Informer<ConfigMap> | Informer<Secret>,
    reference: Reference & { readonly namespace: string; readonly podKey: string },
  ): string | undefined {
    const { name = '', key, optional = false, namespace, podKey } = reference;
    if (optional) return undefined;
    const object = informer.get(namespace, name);
    const isThere = object !== undefined && (key === undefined || ownMember(object.data ?? {}, key) !== undefined);
    if (isThere) return undefined;
    this.#wait(informer, { namespace, name, podKey });
    const { kind } = informer.definition;
    if (object === undefined) return `${kind.toLowerCase()} "${name}" not found`;
    return `couldn't find key ${key} in ${kind} ${namespace}/${name}`;
  }

  #wait(
    informer: Pick<Informer<Informed>, 'definition'>,
    { namespace, name, podKey }: { readonly namespace: string; readonly name: string; readonly podKey: string },
  ): void {
    const key = placeKey(informer, namespace, name);
    const pods = this.#waiting.get(key);
    if (pods === undefined) this.#waiting.set(key, new Set([podKey]));
    else pods.add(podKey);
    const awaited = this.#awaited.get(podKey);
    if (awaited === undefined) this.#awaited.set(podKey, new Set([key]));
    else awaited.add(key);
  }
}

function placeKey({ definition }: Pick<Informer<Informed>, 'definition'>, namespace: string, name: string): string {
  return `${definition.resource}/${namespace}/${name}`;
}
