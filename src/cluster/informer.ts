// Informers: the decoded objects of a resource, kept up to date from its watch cache and shared by all parts of the
// cluster, so that an object is decoded once for each of its versions. A write that has been answered is in them.

import type { ApiObject } from '../api/object.ts';
import type { ControllerContext } from '../controllers/controller.ts';
import { ObjectWatch } from '../controllers/object-watch.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { CachedObject, WatchCache } from '../verbs/watch.ts';

/** The least that is known of an object. */
export type Informed = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ApiObject['metadata'];
};

/** A receiver of changes. Called during writes: work belongs in a queue. Must not throw. */
export interface Follower<T> {
  /** An existing, new or changed object; `previous` is its state before. */
  changed(object: T, previous: T | undefined): void;
  /** The last state of an object that was removed. */
  removed?(object: T): void;
}

/** The objects of a resource by keys of their own choice: pods by node, ReplicaSets by owner. */
export interface Index<T> {
  /** Objects with this key, in no particular order. */
  get(key: string): readonly T[];
}

/** Objects are shared and must not be modified. */
export interface Informer<T extends Informed> {
  readonly definition: ResourceDefinition;
  readonly size: number;
  get(namespace: string, name: string): T | undefined;
  /** All objects, or those of a namespace, in the order in which they came. */
  list(namespace?: string): T[];
  /** Reports existing objects at once, then changes. @returns ends it */
  follow(follower: Follower<T>): () => void;
  /** Adds an index. @param keysOf the keys of an object */
  index(keysOf: (object: T) => readonly string[]): Index<T>;
}

class CacheIndex<T> implements Index<T> {
  readonly #keysOf: (object: T) => readonly string[];
  readonly #objects = new Map<string, Set<T>>();

  constructor(keysOf: (object: T) => readonly string[]) {
    this.#keysOf = keysOf;
  }

  get(key: string): readonly T[] {
    return [...(this.#objects.get(key) ?? [])];
  }

  add(object: T): void {
    for (const key of this.#keysOf(object)) {
      const found = this.#objects.get(key);
      if (found === undefined) this.#objects.set(key, new Set([object]));
      else found.add(object);
    }
  }

  remove(object: T): void {
    for (const key of this.#keysOf(object)) {
      const found = this.#objects.get(key);
      found?.delete(object);
      if (found?.size === 0) this.#objects.delete(key);
    }
  }

  clear(): void {
    this.#objects.clear();
  }
}

class CacheInformer<T extends Informed> implements Informer<T> {
  /** The latest one of a custom resource. */
  definition: ResourceDefinition;
  /** By namespace and name. */
  readonly #objects = new Map<string, Map<string, T>>();
  readonly #followers = new Set<Follower<T>>();
  readonly #indexes: CacheIndex<T>[] = [];
  /** Objects that were there before the history was lost, and have not been seen since. */
  #unseen: Map<string, T> | undefined;
  #size = 0;

  constructor(definition: ResourceDefinition) {
    this.definition = definition;
  }

  get size(): number {
    return this.#size;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(namespace)?.get(name);
  }

  list(namespace?: string): T[] {
    if (namespace !== undefined) return [...(this.#objects.get(namespace)?.values() ?? [])];
    return this.#objects
      .values()
      .flatMap((each) => each.values())
      .toArray();
  }

  follow(follower: Follower<T>): () => void {
    for (const object of this.list()) follower.changed(object, undefined);
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  index(keysOf: (object: T) => readonly string[]): Index<T> {
    const index = new CacheIndex(keysOf);
    for (const object of this.list()) index.add(object);
    this.#indexes.push(index);
    return index;
  }

  changed(stored: CachedObject): void {
    const { namespace, name } = stored;
    const object = decodeStored(stored) as unknown as T;
    this.#unseen?.delete(`${namespace}/${name}`);
    let names = this.#objects.get(namespace);
    if (names === undefined) this.#objects.set(namespace, (names = new Map()));
    const previous = names.get(name);
    // Reported again after the history was lost.
    if (previous?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    names.set(name, object);
    if (previous === undefined) this.#size++;
    for (const index of this.#indexes) {
      if (previous !== undefined) index.remove(previous);
      index.add(object);
    }
    for (const follower of this.#followers) follower.changed(object, previous);
  }

  removed({ namespace, name }: { readonly namespace: string; readonly name: string }): void {
    const names = this.#objects.get(namespace);
    const object = names?.get(name);
    if (names === undefined || object === undefined) return;
    names.delete(name);
    if (names.size === 0) this.#objects.delete(namespace);
    this.#size--;
    for (const index of this.#indexes) index.remove(object);
    for (const follower of this.#followers) follower.removed?.(object);
  }

  restarted(): void {
    const all = this.#objects
      .entries()
      .flatMap(([namespace, names]) =>
        names.entries().map(([name, object]): [string, T] => [`${namespace}/${name}`, object]),
      );
    this.#unseen = new Map(all);
  }

  synced(): void {
    const gone = this.#unseen ?? new Map<string, T>();
    this.#unseen = undefined;
    for (const { metadata } of gone.values())
      this.removed({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
  }
}

/** The informers of a cluster, opened when they are first needed. */
export class Informers {
  readonly #context: ControllerContext;
  readonly #opened = new Map<string, Promise<CacheInformer<Informed>>>();
  readonly #informers = new Map<string, Watched>();
  readonly #endListening: () => void;
  #closed = false;

  constructor(context: ControllerContext) {
    this.#context = context;
    // The cache of a custom resource is closed and opened again when its definition changes.
    this.#endListening = context.writes.registry.onOpen((definition, cache) => {
      const watched = this.#informers.get(keyOf(definition));
      if (watched === undefined || watched.cache === cache) return;
      watched.watch.close();
      watched.informer.restarted();
      this.#watch(watched.informer, definition, cache);
    });
  }

  /**
   * The informer of a resource; resolves once it holds all existing objects. Rejects if the resource is not served, or
   * the store fails.
   *
   * @param resource in the plural
   */
  async open<T extends Informed>(group: string, resource: string): Promise<Informer<T>> {
    const key = keyOf({ group, resource });
    let opening = this.#opened.get(key);
    if (opening === undefined) {
      this.#opened.set(key, (opening = this.#open(group, resource)));
      // It may be served later.
      opening.catch(() => this.#opened.delete(key));
    }
    return (await opening) as unknown as Informer<T>;
  }

  /** Whether a resource is served at all. */
  serves(group: string, resource: string): boolean {
    return this.#context.catalog.find(group, resource) !== undefined;
  }

  close(): void {
    this.#closed = true;
    this.#endListening();
    for (const { watch } of this.#informers.values()) watch.close();
  }

  async #open(group: string, resource: string): Promise<CacheInformer<Informed>> {
    const { catalog, writes } = this.#context;
    const definition = catalog.find(group, resource);
    if (definition === undefined) throw new Error(`${group}/${resource} is not served`);
    const { cache } = await writes.registry.storage(definition);
    const informer = new CacheInformer<Informed>(definition);
    await this.#watch(informer, definition, cache);
    return informer;
  }

  /** Resolves once the informer holds all existing objects. */
  #watch(informer: CacheInformer<Informed>, definition: ResourceDefinition, cache: WatchCache): Promise<void> {
    informer.definition = definition;
    return new Promise<void>((resolve) => {
      const synced = () => {
        informer.synced();
        resolve();
      };
      const watch = new ObjectWatch(cache, {
        changed: (object) => informer.changed(object),
        removed: (object) => informer.removed(object),
        restarted: () => informer.restarted(),
        synced,
      });
      this.#informers.set(keyOf(definition), { informer, cache, watch });
      if (this.#closed) watch.close();
    });
  }
}

/** An informer, with the cache that it watches. */
interface Watched {
  readonly informer: CacheInformer<Informed>;
  readonly cache: WatchCache;
  readonly watch: ObjectWatch;
}

function keyOf({ group, resource }: Pick<ResourceDefinition, 'group' | 'resource'>): string {
  return `${group}/${resource}`;
}
