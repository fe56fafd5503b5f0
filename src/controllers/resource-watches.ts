// Watches of many resources that open as few caches as possible: none for a resource without objects, and none if
// reading the store once suffices. Nothing is written to a resource before its cache is opened, and from then on it is
// watched.

import { promisify } from 'node:util';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { Registry } from '../verbs/registry.ts';
import type { WatchCache } from '../verbs/watch.ts';
import { type ObjectFollower, ObjectWatch, type StoredFollower } from './object-watch.ts';

/** Lets requests run. */
const turn = promisify(setImmediate);

interface ResourceWatchesOptions {
  readonly registry: Registry;
  readonly follower: (definition: ResourceDefinition) => ObjectFollower | StoredFollower;
}

interface Followed {
  readonly definition: ResourceDefinition;
  cache?: WatchCache;
  watch?: ObjectWatch;
  /** Resolves when existing objects have been reported. */
  synced?: Promise<void>;
}

export class ResourceWatches {
  readonly #options: ResourceWatchesOptions;
  /** Resources to watch, by storage prefix, and their watches once they exist. */
  readonly #watches = new Map<string, Followed>();
  readonly #endListening: () => void;
  #closed = false;

  constructor(options: ResourceWatchesOptions) {
    this.#options = options;
    this.#endListening = options.registry.onOpen((definition, cache) => this.#opened(definition, cache));
  }

  /** Watches exactly these resources from now on. Resolves when all stored objects have been reported. */
  async open(definitions: readonly ResourceDefinition[]): Promise<void> {
    const { registry } = this.#options;
    const prefixes = new Set(definitions.map((definition) => definition.storagePrefix));
    for (const [prefix, { watch }] of this.#watches) {
      if (prefixes.has(prefix)) continue;
      watch?.close();
      this.#watches.delete(prefix);
    }
    for (const definition of definitions) {
      if (!this.#watches.has(definition.storagePrefix)) this.#watches.set(definition.storagePrefix, { definition });
    }
    for (const definition of definitions) {
      if (this.#closed) return;
      if (!registry.isOpen(definition) && !(await this.#mustOpen(definition))) continue;
      const { cache } = await registry.storage(definition);
      this.#opened(definition, cache);
      await this.#watches.get(definition.storagePrefix)?.synced;
    }
  }

  /** Whether the cache has to be opened for what is stored, or has been meanwhile. */
  async #mustOpen(definition: ResourceDefinition): Promise<boolean> {
    const { registry, follower: followerOf } = this.#options;
    const follower = followerOf(definition);
    if (!('stored' in follower)) return registry.hasObjects(definition);
    for (let after: string | undefined; ; ) {
      const page = await registry.storedPage(definition, { after, limit: limits.pageObjects });
      // Opened while the page was being read: the watch reports all of it, and newer objects.
      if (registry.isOpen(definition)) return true;
      for (const [index, object] of page.entries()) {
        follower.stored(object);
        if (index % limits.followedObjects === limits.followedObjects - 1) await turn();
        if (registry.isOpen(definition)) return true;
      }
      if (page.length < limits.pageObjects || this.#closed) return false;
      after = page.at(-1)?.key;
      await turn();
    }
  }

  /** Whether a resource is watched, or will be once its cache is opened. */
  has({ storagePrefix }: ResourceDefinition): boolean {
    return this.#watches.has(storagePrefix);
  }

  close(): void {
    this.#closed = true;
    this.#endListening();
    for (const { watch } of this.#watches.values()) watch?.close();
    this.#watches.clear();
  }

  #opened({ storagePrefix }: ResourceDefinition, cache: WatchCache): void {
    const followed = this.#watches.get(storagePrefix);
    if (followed === undefined || followed.cache === cache) return;
    // A cache may be closed and reopened while the resource remains.
    followed.watch?.close();
    followed.cache = cache;
    followed.synced = new Promise((resolve) => {
      const follower = this.#options.follower(followed.definition);
      const synced = (): void => {
        follower.synced?.();
        resolve();
      };
      followed.watch = new ObjectWatch(cache, { ...follower, synced });
    });
  }
}
