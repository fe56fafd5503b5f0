// Controller that removes entries of stopped servers from StorageVersions, and deletes those without entries.

import { storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type Followed, followed } from './followed.ts';
import { isIdentityLease } from './identity-lease.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { keepServerRows, serversOf } from './storage-version-status.ts';
import { WorkQueue } from './work-queue.ts';

const LEASES = 'kube-system';

export class StorageVersionCollector implements Controller {
  readonly name = 'storageversion-garbage-collector-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  /** Names of StorageVersions. */
  readonly #queue: WorkQueue<string>;
  readonly #watches: ObjectWatch[] = [];
  #versions: Followed | undefined;
  #leases: Followed | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, 'storage-version-garbage-collector');
    const work = (name: string) => this.#settle(name);
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: 1, work });
  }

  async start(): Promise<void> {
    this.#versions = await followed(this.#context, 'internal.apiserver.k8s.io', 'storageversions');
    this.#leases = await followed(this.#context, 'coordination.k8s.io', 'leases');
    if (this.#versions === undefined || this.#leases === undefined) return;
    const { cache } = this.#versions;
    const look = ({ name }: { name: string }) => this.#queue.add(name);
    const lookAtAll = () => {
      for (const stored of cache.snapshot().objects(EVERYTHING)) look(stored);
    };
    this.#watches.push(
      new ObjectWatch(cache, { changed: look }),
      new ObjectWatch(
        this.#leases.cache,
        { changed: () => {}, removed: (lease) => isIdentityLease(lease) && lookAtAll(), restarted: lookAtAll },
        { ...EVERYTHING, namespace: LEASES },
      ),
    );
    this.#queue.start();
  }

  async stop(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await this.#queue.stop();
  }

  async #settle(name: string): Promise<undefined> {
    if (this.#versions === undefined) return;
    const { definition, cache } = this.#versions;
    const place: ObjectPlace = { definition, namespace: '', name };
    const stored = cache.get(storageKey(definition, '', name));
    const servers = stored === undefined ? [] : serversOf(decodeStored(stored));
    // One without entries is about to be published by another server.
    if (servers.every((id) => this.#isThere(id))) return;
    let left = 0;
    const nowMs = this.#context.clock.now();
    const change = (object: Parameters<typeof serversOf>[0]) => {
      const kept = keepServerRows(object, (id) => this.#isThere(id), nowMs);
      left = kept.left;
      return kept.gone > 0 && kept.left > 0;
    };
    await this.#objects.change(place, change, 'status');
    if (left === 0) await this.#objects.delete(place);
  }

  #isThere(apiServerId: string): boolean {
    if (this.#leases === undefined) return false;
    const { definition, cache } = this.#leases;
    const lease = cache.get(storageKey(definition, LEASES, apiServerId));
    return lease !== undefined && isIdentityLease(lease);
  }
}
