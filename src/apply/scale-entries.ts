// Mapping of managedFields between an object and its Scale, which shows one field of the object: entries that own that
// field appear as entries of the Scale, and the result of a write to the Scale is mapped back.

import { difference, hasPath, pathSet } from './field-set.ts';
import { isSame, type Manager } from './managers.ts';
import type { PathElement } from './path-element.ts';

/** The version of Scales. */
export const SCALE_VERSION = 'autoscaling/v1';

/** The path of the replicas in a Scale, and in built-in workloads. */
export const REPLICAS: readonly PathElement[] = Object.freeze(['f:spec', 'f:replicas']);

interface ScaledObject {
  /** The version of the request. */
  readonly apiVersion: string;
  /** The path of the replicas in the object. */
  readonly replicas: readonly PathElement[];
}

/** The entries that own the replicas, as entries of a Scale. */
export function scaleManagers(managers: readonly Manager[], { replicas }: ScaledObject): Manager[] {
  return managers
    .filter(({ fields }) => hasPath(fields, replicas))
    .map((manager) => ({ ...manager, apiVersion: SCALE_VERSION, fields: pathSet(REPLICAS) }));
}

/**
 * The object's entries after a write to its Scale: managers that lost the replicas there lose them here; new owners get
 * an entry without a time, as in Kubernetes. An updater's entry is identified by its version too, which differs in a
 * Scale: any write to the Scale moves the replicas from its entry to a second one.
 */
export function managersAfterScale(
  managers: readonly Manager[],
  ofScale: readonly Manager[],
  { apiVersion, replicas }: ScaledObject,
): Manager[] {
  const kept: Manager[] = [];
  for (const manager of managers) {
    const isOwner = hasPath(manager.fields, replicas);
    const fields =
      !isOwner || ofScale.some((each) => isSame(each, manager))
        ? manager.fields
        : difference(manager.fields, pathSet(replicas));
    if (fields !== undefined) kept.push(fields === manager.fields ? manager : { ...manager, fields });
  }
  const gained = ofScale
    .filter((each) => hasPath(each.fields, REPLICAS))
    .filter((each) => !kept.some((manager) => isSame(each, manager) && hasPath(manager.fields, replicas)));
  return [...kept, ...gained.map((each) => ({ ...each, apiVersion, time: undefined, fields: pathSet(replicas) }))];
}
