// The stored resources of a server: for each one its definition, the store and the watch cache that serves its reads.
// Caches are made on first use and shared by all resources with one storage prefix (core and events.k8s.io events).

import type { Buffer } from 'node:buffer';
import { parseJson } from '../api/json-reader.ts';
import type { ApiObject } from '../api/object.ts';
import type { User } from '../auth/user.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import type { BehaviourContext, ResourceDefinition } from '../resources/definition.ts';
import type { Store } from '../store/store.ts';
import type { Attributes, WatchCache } from '../watchcache/types.ts';
import { createWatchCache } from '../watchcache/watch-cache.ts';

export interface ResourceStorage {
  readonly store: Store;
  readonly cache: WatchCache;
}

export interface RegistryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly gates: FeatureGates;
}

export class Registry {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether a feature gate is on. */
  readonly gateEnabled: (gate: string) => boolean;
  /** What a stored object's bytes decode to, for as long as the write that made them is under way. */
  readonly #decoded = new WeakMap<Buffer, ApiObject>();
  readonly #storages = new Map<string, ResourceStorage>();
  readonly #opening = new Map<string, Promise<ResourceStorage>>();

  constructor(options: RegistryOptions) {
    this.store = options.store;
    this.clock = options.clock;
    this.random = options.random;
    this.gateEnabled = (gate) => options.gates.enabled(gate as FeatureGateName);
  }

  /** The storage of a resource; synchronous once its cache is there. */
  storage(definition: ResourceDefinition): ResourceStorage | Promise<ResourceStorage> {
    return this.#storages.get(definition.storagePrefix) ?? this.#open(definition);
  }

  /** What a kind's rules may look at in a request of this user. */
  behaviourContext(user: User): BehaviourContext {
    return { nowMs: this.clock.now(), gateEnabled: this.gateEnabled, user };
  }

  /** Tells the registry what `bytes`, about to be stored, decode to, which spares the cache the reading. */
  remember(bytes: Buffer, object: ApiObject): void {
    this.#decoded.set(bytes, object);
  }

  /** Sizes of all caches, by storage prefix. */
  caches(): Iterable<[string, ResourceStorage]> {
    return this.#storages;
  }

  close(): void {
    for (const { cache } of this.#storages.values()) cache.close();
    this.#storages.clear();
  }

  #open(definition: ResourceDefinition): Promise<ResourceStorage> {
    const prefix = definition.storagePrefix;
    let opening = this.#opening.get(prefix);
    if (opening === undefined) {
      opening = createWatchCache({
        store: this.store,
        prefix: `${prefix}/`,
        namespaced: definition.namespaced,
        attributes: (_key, bytes) => this.#attributes(definition, bytes),
        clock: this.clock,
      }).then((cache) => {
        const storage = { store: this.store, cache };
        this.#storages.set(prefix, storage);
        this.#opening.delete(prefix);
        return storage;
      });
      opening.catch(() => this.#opening.delete(prefix));
      this.#opening.set(prefix, opening);
    }
    return opening;
  }

  #attributes(definition: ResourceDefinition, bytes: Buffer): Attributes {
    const object = this.#decoded.get(bytes) ?? (parseJson(bytes) as ApiObject);
    this.#decoded.delete(bytes);
    const { name = '', namespace = '', labels } = object.metadata;
    return { name, namespace, labels, fields: definition.behaviour.selectableFields?.(object) };
  }
}

/** The store's key of an object, as kube-apiserver lays keys out. */
export function storageKey(definition: ResourceDefinition, namespace: string, name: string): string {
  return definition.namespaced
    ? `${definition.storagePrefix}/${namespace}/${name}`
    : `${definition.storagePrefix}/${name}`;
}
