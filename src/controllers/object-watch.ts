// Follows the objects of one resource through its watch cache: what there is first, in steps, then what happens. It
// begins again by itself when it fell behind all history. What the objects say is not its business.

import { limits } from '../base/limits.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import type { CachedObject, CacheEvent, EventType, Selection, WatchCache, Watcher, WatchSink } from '../verbs/watch.ts';

/** Who follows many resources, most of which hold nothing that concerns it. */
export interface StoredFollower extends ObjectFollower {
  /**
   * An object of a resource whose cache nobody has opened. All of them are reported by `changed` when somebody
   * does.
   */
  stored(object: StoredObject): void;
}

/** Who follows. Called in the midst of writes: whatever takes time belongs into a queue. Must not throw. */
export interface ObjectFollower {
  /** An object that is there at the start, is new, or has changed; `previous` is what it was. */
  changed(object: CachedObject, previous: CachedObject | undefined): void;
  /** The last state of an object that is gone, or is selected no more. */
  removed?(object: CachedObject): void;
  /** All that was told is void: what went meanwhile is not known. The objects there are follow. */
  restarted?(): void;
  /** The objects that were there at the start have been told. */
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
