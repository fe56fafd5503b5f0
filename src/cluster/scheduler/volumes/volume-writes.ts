// The writes that bind the volumes of a pod before the pod itself, and the wait until the controllers of volumes have done
// their part. That may take minutes; nothing is in progress meanwhile.

import { ownMember } from '../../../api/own-member.ts';
import type { Clock } from '../../../base/clock.ts';
import type { PersistentVolume } from '../../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../../resources/builtin/core/pod/objects.ts';
import type { ClusterObjects } from '../../cluster-objects.ts';
import type { Informer } from '../../informer.ts';
import { SELECTED_NODE } from '../../volumes/volume-names.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Snapshot } from '../snapshot.ts';
import { isBound } from './pod-claims.ts';
import { bindTo, selectNode, type VolumeChoice } from './volume-choice.ts';
import { isReachable } from './volume-matching.ts';

/** kube-scheduler's bindTimeoutSeconds. */
const LONGEST_WAIT_MS = 600_000;

interface VolumeInformers {
  readonly pods: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
}

/** A pod whose volumes are being bound. */
interface Waiting {
  /** Whether they are. @throws Error if they will not be */
  readonly isDone: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class VolumeWrites {
  readonly #informers: VolumeInformers;
  readonly #objects: ClusterObjects;
  readonly #clock: Clock;
  readonly #snapshot: Snapshot;
  readonly #waiting = new Set<Waiting>();
  readonly #ends: (() => void)[];

  constructor(parts: {
    readonly informers: VolumeInformers;
    readonly objects: ClusterObjects;
    readonly clock: Clock;
    readonly snapshot: Snapshot;
  }) {
    const { informers, objects, clock, snapshot } = parts;
    this.#informers = informers;
    this.#objects = objects;
    this.#clock = clock;
    this.#snapshot = snapshot;
    const look = () => this.#look();
    this.#ends = [
      informers.claims.follow({ changed: look, removed: look }),
      informers.volumes.follow({ changed: look, removed: look }),
      informers.pods.follow({ changed: () => {}, removed: look }),
    ];
  }

  stop(): void {
    for (const end of this.#ends) end();
    for (const { reject } of this.#waiting) reject(new Error('the scheduler has stopped'));
    this.#waiting.clear();
  }

  /** @throws ApiError like any update */
  async write({ bindings, provisions }: VolumeChoice, node: string): Promise<void> {
    const { claims, volumes } = this.#informers;
    for (const { claim, volume } of bindings) {
      const written = await this.#objects.update<PersistentVolume>(volumes, volume, (draft) => bindTo(draft, claim));
      if (written === undefined) throw new Error(`persistentvolume "${volume.metadata.name}" not found`);
    }
    for (const claim of provisions) {
      const written = await this.#objects.update<PersistentVolumeClaim>(claims, claim, (draft) =>
        selectNode(draft, node),
      );
      if (written === undefined) throw new Error(`persistentvolumeclaim "${claim.metadata.name}" not found`);
    }
  }

  /** Resolves once all volumes are bound. Rejects if they cannot be any more, or it takes too long. */
  bound(pod: PodInfo, choice: VolumeChoice, node: string): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const timer = this.#clock.after(LONGEST_WAIT_MS, () => {
        this.#waiting.delete(waiting);
        reject(new Error('binding volumes: context deadline exceeded'));
      });
      const ending = <Value>(end: (value: Value) => void) => {
        return (value: Value) => {
          timer.cancel();
          end(value);
        };
      };
      const waiting: Waiting = {
        isDone: () => this.#isBound(pod, choice, node),
        resolve: ending(resolve),
        reject: ending(reject),
      };
      this.#waiting.add(waiting);
      this.#look();
    });
  }

  #look(): void {
    for (const waiting of this.#waiting) {
      try {
        if (!waiting.isDone()) continue;
        waiting.resolve();
      } catch (error) {
        waiting.reject(error);
      }
      this.#waiting.delete(waiting);
    }
  }

  /** @throws Error if the volumes cannot be bound any more */
  #isBound({ namespace, name, uid }: PodInfo, { bindings, provisions }: VolumeChoice, node: string): boolean {
    const { pods, volumes } = this.#informers;
    if (pods.get(namespace, name)?.metadata.uid !== uid) throw faultOf(`pod does not exist any more`);
    let isDone = true;
    for (const { claim, volume } of bindings) {
      const current = volumes.get('', volume.metadata.name ?? '');
      if (current === undefined) throw faultOf(`failed to check binding: persistentvolume is gone`);
      if ((current.spec?.claimRef?.uid ?? '') === '')
        throw faultOf(`ClaimRef got reset for pv "${volume.metadata.name}"`);
      this.#checkReach(current, node);
      isDone &&= isBound(this.#claim(claim));
    }
    for (const claim of provisions) {
      const current = this.#claim(claim);
      if (ownMember(current.metadata.annotations, SELECTED_NODE) !== node) {
        throw faultOf(`provisioning failed for PVC "${claim.metadata.name}"`);
      }
      const volume = volumes.get('', current.spec?.volumeName ?? '');
      if (volume !== undefined) this.#checkReach(volume, node);
      isDone &&= isBound(current);
    }
    return isDone;
  }

  #claim({ metadata: { namespace = '', name = '' } }: PersistentVolumeClaim): PersistentVolumeClaim {
    const claim = this.#informers.claims.get(namespace, name);
    if (claim === undefined) throw faultOf(`failed to check provisioning pvc: "${namespace}/${name}" is gone`);
    return claim;
  }

  #checkReach(volume: PersistentVolume, name: string): void {
    const node = this.#snapshot.get(name)?.node;
    if (node === undefined) throw faultOf(`failed to get node "${name}": node "${name}" not found`);
    if (isReachable(volume, node)) return;
    const which = `pv "${volume.metadata.name}" node affinity doesn't match node "${name}"`;
    throw faultOf(`${which}: no matching NodeSelectorTerms`);
  }
}

function faultOf(message: string): Error {
  return new Error(`binding volumes: ${message}`);
}
