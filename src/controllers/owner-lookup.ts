// Lookup of the owner in an owner reference: an existing object, one that waits for its dependents, none, or one of a
// kind that is not served. References point to the same namespace or to cluster-scoped objects.

import { type RemoteServers, remoteResourceOf } from '../aggregator/remote-resources.ts';
import { parseApiVersion } from '../api/group-version.ts';
import type { ApiObject, OwnerReference } from '../api/object.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { CollectedObjects, CollectedPlace, CollectedResource } from './collected-objects.ts';
import { isDeleting } from './controller.ts';

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

export type OwnerState = 'present' | 'waiting' | 'absent' | 'unknown';

export class OwnerLookup {
  readonly #catalog: Catalog;
  readonly #servers: RemoteServers;
  readonly #objects: CollectedObjects;
  #generation = -1;
  /** Resources by the apiVersion and kind in references. */
  #byKind = new Map<string, ResourceDefinition>();

  constructor(catalog: Catalog, servers: RemoteServers, objects: CollectedObjects) {
    this.#catalog = catalog;
    this.#servers = servers;
    this.#objects = objects;
  }

  /** The state of an owner, as seen by a dependent. Rejects with RemoteError if its server is unavailable. */
  async stateOf(reference: OwnerReference, dependent: CollectedPlace): Promise<OwnerState> {
    const { name, uid } = reference;
    const definition = this.definitionOf(reference);
    if (definition === undefined) return 'unknown';
    // A cluster-scoped object cannot name the namespace of its owner.
    if (definition.namespaced && !dependent.definition.namespaced) return 'unknown';
    const namespace = definition.namespaced ? dependent.namespace : '';
    const owner = await this.#objects.owner({ definition, namespace, name }, uid);
    if (owner === undefined) return 'absent';
    return owner !== 'present' && waitsForDependents(owner) ? 'waiting' : 'present';
  }

  /** The resource of a kind in a reference; undefined if it is not served. */
  definitionOf({ apiVersion, kind }: Pick<OwnerReference, 'apiVersion' | 'kind'>): CollectedResource | undefined {
    const parsed = parseApiVersion(apiVersion);
    if (parsed === undefined) return undefined;
    if (this.#servers.apiServices.remote(parsed.group, parsed.version) !== undefined) {
      return remoteResourceOf(this.#servers, parsed, kind);
    }
    if (this.#generation !== this.#catalog.generation) {
      this.#generation = this.#catalog.generation;
      this.#byKind = new Map();
      for (const { group, versions } of this.#catalog.groups) {
        for (const { version, entries } of versions) {
          const prefix = group === '' ? version : `${group}/${version}`;
          for (const { definition } of entries) {
            if (definition.verbs.includes('delete')) this.#byKind.set(`${prefix} ${definition.kind}`, definition);
          }
        }
      }
    }
    return this.#byKind.get(`${apiVersion} ${kind}`);
  }
}

/** Whether an object is being deleted in the foreground, after its dependents. */
export function waitsForDependents(object: ApiObject): boolean {
  return isDeleting(object) && object.metadata.finalizers?.includes(FOREGROUND) === true;
}

/** Whether an object is being deleted and its dependents are orphaned. */
export function orphansDependents(object: ApiObject): boolean {
  return isDeleting(object) && object.metadata.finalizers?.includes(ORPHAN) === true;
}
