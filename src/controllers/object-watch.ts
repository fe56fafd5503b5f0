// Watch of a resource through its watch cache: existing objects first, in steps, then changes. It restarts by itself if
// it falls behind the history. Independent of the content of objects.

import { limits } from '../base/limits.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import type { CachedObject, CacheEvent, EventType, Selection, WatchCache, Watcher, WatchSink } from '../verbs/watch.ts';

/** A follower of many resources, most of which have no relevant objects. */
export interface StoredFollower extends ObjectFollower {
  /** An object of a resource whose cache is not open. All of them are reported by `changed` when it is opened. */
  stored(object: StoredObject): void;
}

/** The receiver of a watch. Called during writes: work belongs in a queue. Must not throw. */
export interface ObjectFollower {
  /** An existing, new or changed object; `previous` is its state before. */
  changed(object: CachedObject, previous: CachedObject | undefined): void;
  /** The last state of an object that was removed or is no longer selected. */
  removed?(object: CachedObject): void;
  /** Invalidates everything so far: deletions may have been missed. The existing objects follow. */
  restarted?(): void;
  /** All existing objects have been reported. */
  synced?(): void;
}

export const EVERYTHING: Selection = { namespace: undefined, name: undefined, matches: undefined };

export class ObjectWatch {
  readonly #cache: WatchCache;
  readonly #follower: ObjectFollower;
  readonly #selection: Selection;
  #watcher: Watcher | undefined;
  #turn: NodeJS.Immediate | undefined;
  #closed = false;

  constructor(cache: WatchCache, follower: ObjectFollower, selection = EVERYTHING) {
    this.#cache = cache;
    this.#follower = follower;
    this.#selection = selection;
    this.#watch();
  }

  close(): void {
    this.#closed = true;
    if (this.#turn !== undefined) clearImmediate(this.#turn);
    this.#watcher?.close();
  }

  #watch(): void {
    let given = 0;
    const sink: WatchSink = {
      initial: (object) => {
        this.#follower.changed(object, undefined);
        given++;
        if (given % limits.followedObjects !== 0) return true;
        this.#later(() => this.#watcher?.resume());
        return false;
      },
      initialEnd: () => {
        this.#follower.synced?.();
        return true;
      },
      event: (type, object, event) => {
        this.#tell(type, object, event);
        return true;
      },
      end: (reason) => {
        if (reason !== 'expired' || this.#closed) return;
        this.#later(() => {
          this.#follower.restarted?.();
          this.#watch();
        });
      },
    };
    this.#watcher = this.#cache.watch({ selection: this.#selection, from: 'state', sink });
  }

  #tell(type: EventType, object: CachedObject, event: CacheEvent): void {
    if (type === 'DELETED') this.#follower.removed?.(object);
    else this.#follower.changed(object, event.previous);
  }

  #later(act: () => void): void {
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      if (!this.#closed) act();
    });
  }
}
