// Owners of objects: which controller an object belongs to, and the claims by which a controller takes objects that its
// selector matches and gives up those that it no longer does. The rules are Kubernetes', so that controllers of one kind
// never share an object.

import { isMissing } from '../api/error-reasons.ts';
import { labelSelectorOf } from '../api/label-selector.ts';
import type { Draft, JsonObject, OwnerReference } from '../api/object.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import type { Informed, Informer } from './informer.ts';

/** The owner that controls an object, if it has one. */
export function controllerOf({ metadata }: Informed): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** The UID of the owner that controls an object, as the keys of an index: none or one. */
export function controllerKeys(object: Informed): readonly string[] {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [owner.uid];
}

/** The reference by which an owner controls a new object. */
export function controlledBy({ kind = '', apiVersion = '', metadata }: Informed): OwnerReference {
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

interface Claim<T extends Informed> {
  /** The owner, and the selector of what it wants. */
  readonly owner: Informed & { readonly spec?: { readonly selector?: object | null } };
  readonly informer: Informer<T>;
  /** Objects that the owner controls or that have no controller; others are ignored. */
  readonly candidates: readonly T[];
  readonly objects: ClusterObjects;
  /** A finalizer that adopted objects get. */
  readonly finalizer?: string;
}

/**
 * The objects that an owner controls: matching orphans are adopted, and objects that no longer match are released, unless
 * the owner is being deleted.
 * @throws ApiError if an object cannot be written
 */
export async function claimed<T extends Informed>(claim: Claim<T>): Promise<T[]> {
  const { owner, candidates } = claim;
  const selector = labelSelectorOf(owner.spec?.selector as JsonObject | null | undefined);
  const isGoing = owner.metadata.deletionTimestamp !== undefined;
  const owned: T[] = [];
  for (const object of candidates) {
    const controller = controllerOf(object);
    const matches = selector.matches(object.metadata.labels);
    if (controller !== undefined) {
      if (controller.uid !== owner.metadata.uid) continue;
      if (matches) owned.push(object);
      else if (!isGoing) await release(claim, object);
    } else if (matches && !isGoing && object.metadata.deletionTimestamp === undefined) {
      const adopted = await adopt(claim, object);
      if (adopted !== undefined) owned.push(adopted);
    }
  }
  return owned;
}

async function adopt<T extends Informed>(
  { owner, informer, objects, finalizer }: Claim<T>,
  object: T,
): Promise<T | undefined> {
  const adopted = await objects.update<T>(informer, object, (draft) => {
    const metadata = draft.metadata as T['metadata'];
    if (metadata.ownerReferences?.some(({ controller }) => controller === true)) return false;
    metadata.ownerReferences = [...(metadata.ownerReferences ?? []), controlledBy(owner)];
    if (finalizer !== undefined) metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), finalizer])];
    return true;
  });
  return adopted !== undefined && controllerOf(adopted)?.uid === owner.metadata.uid ? adopted : undefined;
}

async function release<T extends Informed>({ owner, informer, objects }: Claim<T>, object: T): Promise<void> {
  try {
    await objects.update<T>(informer, object, (draft: Draft<T>) => {
      const metadata = draft.metadata as T['metadata'];
      metadata.ownerReferences = (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
      return true;
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
