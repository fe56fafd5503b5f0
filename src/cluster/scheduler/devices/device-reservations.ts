// What the scheduler knows of devices, and its reservations: claims that get devices, and pods that get claims. They are
// assumed at once and written before the pod is bound.

import { copyJson } from '../../../api/json-writer.ts';
import type { ApiObject, Draft } from '../../../api/object.ts';
import { limits } from '../../../base/limits.ts';
import { type DeviceMatcher, deviceMatcher } from '../../../resources/builtin/resource/device-selection.ts';
import type {
  AllocationResult,
  DeviceClass,
  ResourceClaim,
  ResourceSlice,
} from '../../../resources/builtin/resource/v1-objects.ts';
import type { ClusterObjects } from '../../cluster-objects.ts';
import type { ClusterContext } from '../../context.ts';
import type { Informer } from '../../informer.ts';
import type { Reservation } from '../filter.ts';
import { Latest } from '../latest.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Lister } from '../sources.ts';
import { AssumedObjects } from '../volumes/assumed-objects.ts';
import { isReservedFor } from './pod-resource-claims.ts';

/** A claim that a pod is going to use. */
interface ClaimUse {
  readonly claim: ResourceClaim;
  /** Its devices, if it has had none. */
  readonly allocation: AllocationResult | undefined;
}

export interface DeviceSources {
  /** With what is reserved of them. */
  readonly claims: Lister<ResourceClaim>;
  readonly slices: Lister<ResourceSlice>;
  readonly classes: Lister<DeviceClass>;
  /** The predicate of a selector's expression. @throws Error if it is invalid */
  readonly matcher: (expression: string) => DeviceMatcher;
  /** Whether devices for a claim have been chosen and are not written yet. */
  readonly isPending: (claim: ResourceClaim) => boolean;
  /** Takes the devices of a claim away that nobody uses. */
  readonly deallocate: (claim: ResourceClaim) => Promise<void>;
  readonly reserve: (uses: readonly ClaimUse[], pod: PodInfo) => Reservation;
}

const FINALIZER = 'resource.kubernetes.io/delete-protection';
const GROUP = 'resource.k8s.io';

/** Undefined if devices are not served. */
export async function openDevices(
  { informers, writes }: Pick<ClusterContext, 'informers' | 'writes'>,
  objects: ClusterObjects,
): Promise<DeviceSources | undefined> {
  if (!['resourceclaims', 'resourceslices', 'deviceclasses'].every((each) => informers.serves(GROUP, each))) {
    return undefined;
  }
  const claims = await informers.open<ResourceClaim>(GROUP, 'resourceclaims');
  const sharesDevices = writes.registry.gateEnabled('DRAConsumableCapacity');
  /** Claims whose devices have been chosen and not all been written: the finalizer is written first. */
  const pending = new Set<string>();
  const isPending = ({ metadata }: ResourceClaim) => pending.has(metadata.uid ?? '');
  const assumed = new AssumedObjects(claims, isPending);
  return {
    claims: assumed,
    slices: await informers.open<ResourceSlice>(GROUP, 'resourceslices'),
    classes: await informers.open<DeviceClass>(GROUP, 'deviceclasses'),
    matcher: rememberedMatchers(sharesDevices),
    isPending,
    deallocate: async (claim) => {
      await objects.updateStatus<ResourceClaim>(claims, claim, (draft) => {
        draft.status = {};
        return true;
      });
    },
    reserve: (uses, pod) => ({
      by: 'DynamicResources',
      take: () => {
        for (const use of uses) {
          const next = copyJson(use.claim as unknown as ApiObject) as unknown as Draft<ResourceClaim>;
          useClaim(next, use, pod);
          assumed.assume(next as ResourceClaim, use.claim);
          if (use.allocation !== undefined) pending.add(use.claim.metadata.uid ?? '');
        }
      },
      giveBack: () => {
        for (const { claim } of uses) {
          assumed.forget(claim);
          pending.delete(claim.metadata.uid ?? '');
        }
      },
      write: async () => {
        for (const use of uses) {
          await writeUse(use, { pod, claims, objects });
          pending.delete(use.claim.metadata.uid ?? '');
        }
      },
    }),
  };
}

function rememberedMatchers(sharesDevices: boolean): DeviceSources['matcher'] {
  const known = new Latest<DeviceMatcher>(limits.deviceSelectors);
  return (expression) => {
    const matcher = known.get(expression) ?? deviceMatcher(expression, sharesDevices);
    known.set(expression, matcher);
    return matcher;
  };
}

/** Gives a claim its devices, and reserves it for a pod. @returns whether that changes anything */
function useClaim(claim: Draft<ResourceClaim>, { allocation }: ClaimUse, pod: PodInfo): boolean {
  if (isReservedFor(claim as ResourceClaim, pod)) return false;
  const { name, uid } = pod;
  const status = {
    ...claim.status,
    ...(allocation === undefined ? {} : { allocation }),
    reservedFor: [...(claim.status?.reservedFor ?? []), { resource: 'pods', name, uid }],
  };
  claim.status = status as NonNullable<Draft<ResourceClaim>['status']>;
  return true;
}

async function writeUse(
  use: ClaimUse,
  {
    pod,
    claims,
    objects,
  }: {
    readonly pod: PodInfo;
    readonly claims: Informer<ResourceClaim>;
    readonly objects: ClusterObjects;
  },
): Promise<void> {
  const { claim, allocation } = use;
  const which = `${claim.metadata.namespace}/${claim.metadata.name}`;
  if (allocation !== undefined) {
    await objects.update<ResourceClaim>(claims, claim, ({ metadata }) => {
      if (metadata.finalizers?.includes(FINALIZER)) return false;
      metadata.finalizers = [...(metadata.finalizers ?? []), FINALIZER];
      return true;
    });
  }
  const written = await objects.updateStatus<ResourceClaim>(claims, claim, (draft) => {
    if (draft.metadata.deletionTimestamp !== undefined) throw new Error(`claim ${which} got deleted in the meantime`);
    const isTaken = allocation !== undefined && draft.status?.allocation !== undefined;
    if (isTaken) throw new Error(`claim ${which} got allocated elsewhere in the meantime`);
    return useClaim(draft, use, pod);
  });
  if (written === undefined) throw new Error(`claim ${which} got deleted in the meantime`);
}
