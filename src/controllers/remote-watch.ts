// Watch of a resource of another API server: existing objects first, then changes, restarted until it is closed. While
// that server is down, nothing is reported, and objects already reported are not retracted.

import { RemoteError, type RemoteObjects, type RemotePlace } from '../aggregator/remote-objects.ts';
import type { RemoteResource } from '../aggregator/remote-resources.ts';
import type { ApiObject } from '../api/object.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';

export interface RemoteFollower {
  /** An existing, new or changed object. */
  changed(object: ApiObject): void;
  removed(uid: string): void;
  /** All existing objects have been reported. */
  synced(): void;
}

interface RemoteWatchOptions {
  readonly resource: RemoteResource;
  readonly objects: RemoteObjects;
  readonly follower: RemoteFollower;
  readonly clock: Clock;
  readonly log: Log;
}

export class RemoteWatch {
  readonly #options: RemoteWatchOptions;
  readonly #place: RemotePlace;
  readonly #ending = new AbortController();
  /** Known objects, by UID. */
  #uids = new Set<string>();
  #timer: Timer | undefined;
  #isSynced = false;

  constructor(options: RemoteWatchOptions) {
    this.#options = options;
    this.#place = { definition: options.resource, namespace: '', name: '' };
    void this.#follow();
  }

  /** Whether all existing objects have been reported once. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  close(): void {
    this.#ending.abort();
  }

  async #follow(): Promise<void> {
    const { log, resource } = this.#options;
    const { signal } = this.#ending;
    let version = '';
    while (!signal.aborted) {
      try {
        if (version === '') version = await this.#list();
        version = await this.#watch(version);
      } catch (error) {
        version = '';
        log.debug({ file: 'remote-watch', level: 1 }, 'objects of another API server can not be followed', {
          resource: resource.resource,
          error,
        });
      }
      await this.#pause();
    }
  }

  /** @returns the resource version of the objects */
  async #list(): Promise<string> {
    const { objects, follower, resource } = this.#options;
    const found = new Set<string>();
    let last = '';
    for await (const { objects: page, version } of objects.list(this.#place)) {
      if (this.#ending.signal.aborted) return '';
      for (const object of page) {
        found.add(object.metadata.uid ?? '');
        follower.changed(object);
      }
      if (found.size > limits.remoteFollowedObjects) {
        throw new RemoteError(`${resource.resource} are more than ${limits.remoteFollowedObjects}`);
      }
      last = version;
    }
    const before = this.#uids;
    this.#uids = found;
    for (const uid of before) if (!found.has(uid)) follower.removed(uid);
    this.#isSynced = true;
    follower.synced();
    return last;
  }

  /** @returns the resource version up to which everything has been reported; '' if unknown */
  async #watch(from: string): Promise<string> {
    const { objects, clock } = this.#options;
    // A server that neither sends nor ends anything is gone.
    const overdue = new AbortController();
    const timer = clock.after(limits.remoteWatchSeconds * 1000 + limits.apiServiceProbeMs, () => overdue.abort());
    const signal = AbortSignal.any([this.#ending.signal, overdue.signal]);
    let version = from;
    try {
      for await (const { type, object } of objects.watch(this.#place, from, signal)) {
        if (type === 'ERROR') return '';
        this.#tell(type, object);
        version = object.metadata.resourceVersion ?? version;
      }
      return version;
    } finally {
      timer.cancel();
    }
  }

  #tell(type: string, object: ApiObject): void {
    const { follower } = this.#options;
    const { uid = '' } = object.metadata;
    if (type === 'DELETED') {
      this.#uids.delete(uid);
      follower.removed(uid);
    } else if (type !== 'BOOKMARK') {
      this.#uids.add(uid);
      follower.changed(object);
    }
  }

  #pause(): Promise<void> {
    const { signal } = this.#ending;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        this.#timer?.cancel();
        signal.removeEventListener('abort', go);
        resolve();
      };
      this.#timer = this.#options.clock.after(limits.remoteWatchPauseMs, go);
      signal.addEventListener('abort', go, { once: true });
    });
  }
}
