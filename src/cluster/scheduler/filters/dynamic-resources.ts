// Filter DynamicResources: whether the devices that the pod's claims have can be used on a node, and whether the node has
// devices for those that have none yet.

import type { AllocationResult, ResourceClaim } from '../../../resources/builtin/resource/v1-objects.ts';
import { matchesSelector } from '../../node-selection.ts';
import { allocate, takenDevices } from '../devices/allocation.ts';
import { namedRequests } from '../devices/device-requests.ts';
import type { DeviceSources } from '../devices/device-reservations.ts';
import { hasRoom, isReservedFor, podResourceClaims } from '../devices/pod-resource-claims.ts';
import { type Filter, forGood, type Rejection, type Reservation } from '../filter.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

const NAME = 'DynamicResources';

export function dynamicResources(pod: PodInfo, devices: DeviceSources): Filter | Rejection | undefined {
  if ((pod.pod.spec?.resourceClaims ?? []).length === 0) return undefined;
  const claims = podResourceClaims(pod, devices.claims);
  if (typeof claims === 'string') return forGood(NAME, claims);
  if (claims.length === 0) return undefined;
  for (const claim of claims) {
    const fault = claimFault(pod, claim, devices);
    if (fault !== undefined) return forGood(NAME, fault);
  }
  return new DynamicResources(pod, claims, devices);
}

/** Why a claim cannot be used, whatever the node. */
function claimFault(pod: PodInfo, claim: ResourceClaim, { classes, isPending }: DeviceSources): string | undefined {
  if (claim.status?.allocation !== undefined) {
    return hasRoom(claim) || isReservedFor(claim, pod) ? undefined : 'resourceclaim in use';
  }
  if (isPending(claim)) {
    return `resource claim ${claim.metadata.namespace}/${claim.metadata.name} is in the process of being allocated`;
  }
  for (const request of claim.spec?.devices?.requests ?? []) {
    for (const [name, { deviceClassName = '' }] of namedRequests(request)) {
      if (classes.get('', deviceClassName) !== undefined) continue;
      return `request ${name}: device class ${deviceClassName} does not exist`;
    }
  }
  return undefined;
}

class DynamicResources implements Filter {
  readonly name = NAME;
  readonly #pod: PodInfo;
  readonly #claims: readonly ResourceClaim[];
  readonly #devices: DeviceSources;
  readonly #slices: ReturnType<DeviceSources['slices']['list']>;
  readonly #taken: ReadonlySet<string>;
  /** Claims whose devices could not be used on some node. */
  readonly #elsewhere = new Set<ResourceClaim>();
  /** Allocations of the claims that have none, by node. */
  readonly #allocations = new Map<string, readonly AllocationResult[]>();

  constructor(pod: PodInfo, claims: readonly ResourceClaim[], devices: DeviceSources) {
    this.#pod = pod;
    this.#claims = claims;
    this.#devices = devices;
    this.#slices = devices.slices.list();
    this.#taken = takenDevices(devices.claims.list());
  }

  get #unallocated(): readonly ResourceClaim[] {
    return this.#claims.filter(({ status }) => status?.allocation === undefined);
  }

  /** @throws Error if the claims cannot be judged at present */
  check({ node, name }: NodeInfo): Rejection | undefined {
    if (node === undefined) return undefined;
    const { classes, matcher } = this.#devices;
    const world = { classes, matcher, slices: this.#slices, taken: this.#taken };
    const found = allocate(this.#unallocated, node, world);
    if (found === 'too long') return forGood(NAME, 'timed out trying to allocate devices');
    if (found === undefined) return forGood(NAME, 'cannot allocate all claims');
    const elsewhere = this.#claims.filter(({ status }) => {
      const selector = status?.allocation?.nodeSelector;
      return selector !== undefined && !matchesSelector(selector, node);
    });
    for (const each of elsewhere) this.#elsewhere.add(each);
    if (elsewhere.length > 0) return forGood(NAME, 'resourceclaim not available on the node');
    this.#allocations.set(name, found);
    return undefined;
  }

  async release(): Promise<string> {
    for (const claim of this.#elsewhere) {
      const users = claim.status?.reservedFor ?? [];
      if (users.some(({ uid }) => uid !== this.#pod.uid)) continue;
      await this.#devices.deallocate(claim);
      return 'deallocation of ResourceClaim completed';
    }
    return 'still not schedulable';
  }

  reservation(node: string): Reservation | undefined {
    const allocations = this.#allocations.get(node) ?? [];
    const allocated = this.#unallocated.map((claim, index) => ({ claim, allocation: allocations[index] }));
    const shared = this.#claims
      .filter((claim) => claim.status?.allocation !== undefined && !isReservedFor(claim, this.#pod))
      .map((claim) => ({ claim, allocation: undefined }));
    const uses = [...allocated, ...shared];
    return uses.length === 0 ? undefined : this.#devices.reserve(uses, this.#pod);
  }
}
