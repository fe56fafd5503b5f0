// The subresource scale shows one field of an object in an object of its own kind. Entries that own that field are
// shown as entries of the Scale, and what a write to the Scale makes of them is carried back.

import { difference, hasPath, pathSet } from './field-set.ts';
import { isSame, type Manager } from './managers.ts';
import type { PathElement } from './path-element.ts';

/** What a Scale is written in. */
export const SCALE_VERSION = 'autoscaling/v1';

/** Where the replicas stand in a Scale, and in the workloads that are built in. */
export const REPLICAS: readonly PathElement[] = Object.freeze(['f:spec', 'f:replicas']);

interface ScaledObject {
  /** The version of the request. */
  readonly apiVersion: string;
  /** Where the replicas stand in the object. */
  readonly replicas: readonly PathElement[];
}

/** The entries that own the replicas, as entries of a Scale. */
export function scaleManagers(managers: readonly Manager[], { replicas }: ScaledObject): Manager[] {
  return managers
    .filter(({ fields }) => hasPath(fields, replicas))
    .map((manager) => ({ ...manager, apiVersion: SCALE_VERSION, fields: pathSet(REPLICAS) }));
}

/**
 * The object's entries after a write to its Scale: who lost the replicas there loses them here; who won them gets an
 * entry without a time, as Kubernetes writes it. An updater is known by its version too, which is another in a Scale:
 * any write to the Scale takes the replicas from its entry and gives them to a second one.
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
