// Periodic comparison of caches with a store to which other servers write: if an event was lost, nothing else would show
// that a cache differs from the store. A cache that differs is read anew.

import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import type { ShortTurns } from '../base/short-turns.ts';
import { type Store, StoreLagError } from '../store/store.ts';
import { comparedState, differences } from './differences.ts';
import type { WatchCache } from './types.ts';

/** The result of a comparison; `error` if there is none. */
type CheckStatus = 'success' | 'failure' | 'error';

/** A cache to be compared. */
export interface CheckedCache {
  /** The name of the resource, in the log. */
  readonly resource: string;
  /** The prefix of its keys. */
  readonly prefix: string;
  readonly store: Pick<Store, 'list' | 'catchUp'>;
  readonly cache: Pick<WatchCache, 'snapshot' | 'unreadable' | 'readAnew'>;
  /** Called once for each comparison. */
  readonly checked: (status: CheckStatus) => void;
}

export interface ConsistencyChecksOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly turns: Pick<ShortTurns, 'begin'>;
  /** The caches that are open; asked for one after the other, and none is kept. */
  readonly caches: () => Iterable<CheckedCache>;
}

export class ConsistencyChecks {
  readonly #options: ConsistencyChecksOptions;
  #timer: Timer;
  #isStopped = false;

  /** Begins a round of comparisons each period. */
  constructor(options: ConsistencyChecksOptions) {
    this.#options = options;
    this.#timer = this.#later();
  }

  /** A comparison in progress ends with its next answer from the store, and is not counted. */
  stop(): void {
    this.#isStopped = true;
    this.#timer.cancel();
  }

  #later(): Timer {
    return this.#options.clock.after(limits.consistencyCheckMs, () => void this.#round());
  }

  /** Compares one cache after the other. */
  async #round(): Promise<void> {
    for (const checked of this.#options.caches()) {
      await this.#check(checked);
      if (this.#isStopped) return;
    }
    this.#timer = this.#later();
  }

  async #check({ checked, ...compared }: CheckedCache): Promise<void> {
    const { log } = this.#options;
    const { resource, cache } = compared;
    try {
      const found = await this.#differing(compared);
      if (this.#isStopped || found === undefined) return;
      checked(found.differing === 0 ? 'success' : 'failure');
      if (found.differing === 0) return;
      log.error('the cache of a resource differs from the store and is read anew', { resource, ...found });
    } catch (error) {
      // A revision that was compacted meanwhile is an error, too, as it is to kube-apiserver.
      if (this.#isStopped) return;
      checked('error');
      log.warn('the cache of a resource could not be compared with the store', { resource, error: String(error) });
      return;
    }
    await cache.readAnew().catch((error: unknown) => {
      if (!this.#isStopped) log.warn('the cache of a resource was not read anew', { resource, error: String(error) });
    });
  }

  /** The number of keys that differ, with the first of them; undefined if the server has stopped meanwhile. */
  async #differing({ store, cache, prefix }: Omit<CheckedCache, 'checked'>) {
    await caughtUp(store);
    const state = comparedState(cache, prefix);
    const found = { revision: state.snapshot.revision, differing: 0, keys: [] as string[] };
    for await (const { key } of differences({ ...state, store, prefix, turns: this.#options.turns }, true)) {
      if (this.#isStopped) return undefined;
      found.differing += 1;
      if (found.keys.length < limits.loggedDifferences) found.keys.push(key);
    }
    return found;
  }
}

/** Afterwards the revisions of caches are recent, so that the store still has them. */
async function caughtUp(store: Pick<Store, 'catchUp'>): Promise<void> {
  try {
    await store.catchUp?.();
  } catch (error) {
    // The state that the cache has can be compared all the same.
    if (!(error instanceof StoreLagError)) throw error;
  }
}
