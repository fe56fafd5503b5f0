// Filter VolumeBinding: whether the volumes of a pod can be used on a node, and which volumes its unbound claims would get
// there.

import { ownMember } from '../../../api/own-member.ts';
import type { Node } from '../../../resources/builtin/core/node/objects.ts';
import type { PersistentVolume } from '../../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../../resources/builtin/core/persistent-volume-claim/objects.ts';
import { SELECTED_NODE } from '../../volumes/volume-names.ts';
import { type Filter, forGood, type Rejection, type Reservation } from '../filter.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Sources } from '../sources.ts';
import { claimFault, claimNames, classOf, type PodClaims, podClaims } from '../volumes/pod-claims.ts';
import type { VolumeChoice } from '../volumes/volume-choice.ts';
import { findVolume, isReachable, provisioning, requestedSize } from '../volumes/volume-matching.ts';

const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";
const UNREACHABLE = "node(s) didn't match PersistentVolume's node affinity";
const NO_SPACE = 'node(s) did not have enough free storage';
const VOLUME_GONE = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** Makes a reservation of what was chosen for a pod on a node. */
export type ReserveVolumes = (choice: VolumeChoice, pod: PodInfo, node: string) => Reservation;

export function volumeBinding(pod: PodInfo, sources: Sources, reserve: ReserveVolumes): Filter | Rejection | undefined {
  const names = claimNames(pod);
  if (names.length === 0) return undefined;
  for (const each of names) {
    const fault = claimFault(pod, each, sources);
    if (fault !== undefined) return forGood('VolumeBinding', fault);
  }
  const claims = podClaims(pod, sources);
  if (claims.immediate.length > 0) return forGood('VolumeBinding', 'pod has unbound immediate PersistentVolumeClaims');
  return new VolumeBinding(claims, sources, (choice, node) => reserve(choice, pod, node));
}

type Reserve = (choice: VolumeChoice, node: string) => Reservation;

class VolumeBinding implements Filter {
  readonly name = 'VolumeBinding';
  readonly #claims: PodClaims;
  readonly #sources: Sources;
  /** By node. */
  readonly #choices = new Map<string, VolumeChoice>();

  /** Volumes of a class, as they are asked for. */
  readonly #volumes = new Map<string, readonly PersistentVolume[]>();
  readonly #reserve: Reserve;

  constructor(claims: PodClaims, sources: Sources, reserve: Reserve) {
    this.#claims = claims;
    this.#sources = sources;
    this.#reserve = reserve;
  }

  reservation(node: string): Reservation | undefined {
    const choice = this.#choices.get(node);
    if (choice === undefined || choice.bindings.length + choice.provisions.length === 0) return undefined;
    return this.#reserve(choice, node);
  }

  /** @throws Error if a class is missing */
  check({ node, name }: NodeInfo): Rejection | undefined {
    if (node === undefined) return undefined;
    const reasons: string[] = [];
    const boundReason = this.#boundReason(node);
    if (boundReason === UNREACHABLE) reasons.push(boundReason);
    const choice = this.#choose(node);
    if (typeof choice === 'string') reasons.push(choice);
    else this.#choices.set(name, choice);
    if (boundReason === VOLUME_GONE) reasons.push(boundReason);
    return reasons.length === 0 ? undefined : forGood('VolumeBinding', ...reasons);
  }

  #boundReason(node: Node): string | undefined {
    for (const { spec } of this.#claims.bound) {
      const volume = this.#sources.volumes.get('', spec?.volumeName ?? '');
      if (volume === undefined) return VOLUME_GONE;
      if (!isReachable(volume, node)) return UNREACHABLE;
    }
    return undefined;
  }

  /** Volumes for all unbound claims, or why there are none. */
  #choose(node: Node): VolumeChoice | string {
    const bindings: VolumeChoice['bindings'][number][] = [];
    const provisions: PersistentVolumeClaim[] = [];
    const searching: PersistentVolumeClaim[] = [];
    for (const claim of this.#claims.delayed) {
      const selected = ownMember(claim.metadata.annotations, SELECTED_NODE);
      if (selected === undefined) searching.push(claim);
      else if (selected === node.metadata.name) provisions.push(claim);
      else return NO_VOLUME;
    }
    const taken = new Set<string>();
    // The smallest one first, so that it does not take a volume that a larger one needs.
    for (const claim of searching.sort((one, other) => requestedSize(one) - requestedSize(other))) {
      const volume = findVolume(claim, this.#volumesOf(classOf(claim)), { node, taken });
      if (volume === undefined) provisions.push(claim);
      else {
        taken.add(volume.metadata.name ?? '');
        bindings.push({ claim, volume });
      }
    }
    for (const claim of provisions) {
      const possible = provisioning(claim, node, this.#sources);
      if (possible !== 'possible') return possible === 'no space' ? NO_SPACE : NO_VOLUME;
    }
    return { bindings, provisions };
  }

  #volumesOf(name: string): readonly PersistentVolume[] {
    let volumes = this.#volumes.get(name);
    if (volumes === undefined) {
      volumes = this.#sources.volumes.list().filter((each) => classOf(each) === name);
      this.#volumes.set(name, volumes);
    }
    return volumes;
  }
}
