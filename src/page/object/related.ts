// Objects related by owner references: the owners of an object and its dependents.

import { askJson } from '../cluster/cluster-api.ts';
import { apiVersionOf, type Resource, resourceOfKind, resourcePath, resources } from '../cluster/discovery.ts';
import type { ObjectMeta, OwnerReference } from '../cluster/live-table.ts';

export interface Related {
  readonly resource: Resource;
  readonly meta: ObjectMeta;
}

const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
/** How many kinds are read concurrently. */
const AT_ONCE = 6;
/** The maximum depth of owners: chains are short, and a cycle would not end. */
const MAX_OWNERS = 20;

/** Returns the owners of an object and their owners, nearest first. */
export async function ownersOf(start: Related): Promise<Related[]> {
  const found = new Map<string, Related>();
  for (const waiting = [start]; waiting.length > 0 && found.size < MAX_OWNERS; ) {
    const { meta } = waiting.shift()!;
    for (const reference of meta.ownerReferences ?? []) {
      if (found.has(reference.uid) || reference.uid === start.meta.uid) continue;
      const owner = await ownerOf(reference, meta.namespace);
      if (owner === undefined) continue;
      found.set(reference.uid, owner);
      waiting.push(owner);
    }
  }
  return [...found.values()];
}

/**
 * Returns the object that a reference names; undefined if the cluster does not serve its kind or the object is gone.
 */
async function ownerOf(reference: OwnerReference, namespace: string | undefined): Promise<Related | undefined> {
  const resource = resourceOfKind(reference.apiVersion, reference.kind);
  if (resource === undefined) return undefined;
  const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
  try {
    const path = resourcePath(resource, resource.namespaced ? namespace : undefined, reference.name);
    const { metadata } = await askJson<{ metadata: ObjectMeta }>(path, { accept });
    return metadata.uid === reference.uid ? { resource, meta: metadata } : undefined;
  } catch {
    return undefined;
  }
}

/** A dependent object and its depth: 0 for direct dependents. */
export interface Dependent extends Related {
  readonly depth: number;
}

/**
 * Returns the dependents of an object, direct and indirect, each owner before its dependents. Kinds that the user may
 * not list are omitted.
 * @param namespace of the owner; undefined for a cluster-scoped owner, whose dependents may be in any namespace
 */
export async function dependentsOf(uid: string, namespace: string | undefined): Promise<Dependent[]> {
  return [...below(uid, dependentsByOwner(await ownedObjects(namespace)), [uid])];
}

/** References may form a cycle: owners are not repeated among the dependents. */
function* below(
  uid: string,
  byOwner: ReadonlyMap<string, readonly Related[]>,
  above: readonly string[],
): Generator<Dependent> {
  for (const related of byOwner.get(uid) ?? []) {
    const { meta } = related;
    if (above.includes(meta.uid)) continue;
    yield { ...related, depth: above.length - 1 };
    yield* below(meta.uid, byOwner, [...above, meta.uid]);
  }
}

/** Returns dependents by the uid of each owner, sorted by kind and name. */
export function dependentsByOwner(owned: readonly Related[]): ReadonlyMap<string, readonly Related[]> {
  const found = new Map<string, Related[]>();
  for (const related of owned) {
    for (const uid of new Set(related.meta.ownerReferences?.map((owner) => owner.uid))) {
      const known = found.get(uid);
      if (known === undefined) found.set(uid, [related]);
      else known.push(related);
    }
  }
  const title = ({ resource, meta }: Related): string => `${resource.kind} ${meta.namespace ?? ''} ${meta.name}`;
  for (const some of found.values()) some.sort((a, b) => (title(a) < title(b) ? -1 : 1));
  return found;
}

/**
 * Returns every object that has an owner. Kinds that the user may not list are omitted.
 * @param namespace undefined for all namespaces and cluster-scoped objects
 */
export async function ownedObjects(namespace: string | undefined): Promise<Related[]> {
  const waiting = resources.value.filter(
    ({ namespaced, name }) => (namespaced || namespace === undefined) && name !== 'events',
  );
  const found: Related[] = [];
  const work = async (): Promise<void> => {
    for (let resource = waiting.pop(); resource !== undefined; resource = waiting.pop()) {
      const kind = resource;
      const metas = await ownedMetadata(kind, namespace);
      found.push(...metas.map((meta) => ({ resource: kind, meta })));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found.sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
}

/** `apps/v1 ReplicaSet web-1` */
export function titleOf({ resource, meta }: Related): string {
  return `${apiVersionOf(resource)} ${resource.kind} ${meta.name}`;
}

async function ownedMetadata(resource: Resource, namespace: string | undefined): Promise<readonly ObjectMeta[]> {
  const found: ObjectMeta[] = [];
  let next = '';
  try {
    do {
      const query = new URLSearchParams({ limit: '500', ...(next !== '' && { continue: next }) });
      const list = await askJson<{ metadata?: { continue?: string }; items?: readonly { metadata: ObjectMeta }[] }>(
        `${resourcePath(resource, namespace)}?${query}`,
        { accept: METADATA },
      );
      for (const { metadata } of list.items ?? [])
        if ((metadata.ownerReferences ?? []).length > 0) found.push(metadata);
      next = list.metadata?.continue ?? '';
    } while (next !== '');
  } catch {
    return found;
  }
  return found;
}
