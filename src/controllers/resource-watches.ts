// Follows many resources at once without opening a cache for those that hold nothing: what is in the store already is
// opened one resource after the other, and the rest is followed from the moment that somebody else opens it.

import type { ResourceDefinition } from '../resources/definition.ts';
import type { Registry } from '../verbs/registry.ts';
import type { WatchCache } from '../verbs/watch.ts';
import { type ObjectFollower, ObjectWatch } from './object-watch.ts';

export interface ResourceWatchesOptions {
  readonly registry: Registry;
  readonly follower: (definition: ResourceDefinition) => ObjectFollower;
}

interface Followed {
  readonly definition: ResourceDefinition;
  watch?: ObjectWatch;
  /** Resolves when the objects that were there have been told. */
  synced?: Promise<void>;
}

export class ResourceWatches {
  readonly #options: ResourceWatchesOptions;
  /** Resources to be followed, by storage prefix, and their watches once they are. */
  readonly #watches = new Map<string, Followed>();
  readonly #endListening: () => void;
  #closed = false;

  constructor(options: ResourceWatchesOptions) {
    this.#options = options;
    this.#endListening = options.registry.onOpen((definition, cache) => this.#opened(definition, cache));
  }

  /**
   * Follows these resources from now on; those that were followed and are not among them no longer. Resolves when all
   * that is stored has been told.
   */
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
      if (!registry.isOpen(definition) && !(await registry.hasObjects(definition))) continue;
      const { cache } = await registry.storage(definition);
      this.#opened(definition, cache);
      await this.#watches.get(definition.storagePrefix)?.synced;
    }
  }

  close(): void {
    this.#closed = true;
    this.#endListening();
    for (const { watch } of this.#watches.values()) watch?.close();
    this.#watches.clear();
  }

  #opened({ storagePrefix }: ResourceDefinition, cache: WatchCache): void {
    const followed = this.#watches.get(storagePrefix);
    if (followed === undefined || followed.watch !== undefined) return;
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
