// Publication of the versions in which this server stores built-in resources, in the StorageVersion of each. Writes of
// a resource wait for it at the barrier.

import type { ApiObject } from '../api/object.ts';
import type { Timer } from '../base/clock.ts';
import { messageOf } from '../base/error-message.ts';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { PublishedStorage } from '../resources/storage-versions.ts';
import type { StorageVersionBarrier } from '../verbs/storage-version-barrier.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { setServerRow } from './storage-version-status.ts';

/** What a server is about to publish, and who waits for it. */
export interface StorageVersionPublication {
  readonly storages: readonly PublishedStorage[];
  readonly barrier: StorageVersionBarrier;
}

const NOT_SERVED = 'the server could not find the requested resource (post storageversions.internal.apiserver.k8s.io)';

export class StorageVersions implements Controller {
  readonly name = 'storage-version-updater';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  readonly #publication: StorageVersionPublication;
  readonly #apiServerId: string;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(context: ControllerContext, publication: StorageVersionPublication, apiServerId: string) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, this.name, 'kube-apiserver');
    this.#publication = publication;
    this.#apiServerId = apiServerId;
  }

  /** Publishes all, and again periodically, because somebody may have changed or deleted entries. */
  async start(): Promise<void> {
    const definition = this.#context.catalog.find('internal.apiserver.k8s.io', 'storageversions');
    const waiting = [...this.#publication.storages];
    const writeNext = async () => {
      for (let next = waiting.shift(); next !== undefined && !this.#stopped; next = waiting.shift())
        await this.#tell(next, definition);
    };
    await Promise.all(Array.from({ length: limits.controllerWorkers }, writeNext));
    const { barrier } = this.#publication;
    barrier.endAttempt();
    if (this.#stopped) return;
    const waitMs = barrier.isLifted ? limits.storageVersionRepeatMs : limits.storageVersionRetryMs;
    this.#timer = this.#context.clock.after(waitMs, () => void this.start());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  async #tell(storage: PublishedStorage, definition: ResourceDefinition | undefined): Promise<void> {
    const { barrier } = this.#publication;
    try {
      if (definition === undefined) throw new Error(NOT_SERVED);
      await this.#write(storage, { definition, namespace: '', name: storage.name });
      barrier.lift(storage.resources);
    } catch (error) {
      const why = messageOf(error);
      barrier.failed(storage.resources, why);
      this.#context.log.warn('failed to publish a storage version', { name: storage.name, error: why });
    }
  }

  async #write(storage: PublishedStorage, place: ObjectPlace): Promise<void> {
    const { encodingVersion, decodableVersions, servedVersions } = storage;
    const lists = { decodableVersions: [...decodableVersions], servedVersions: [...servedVersions] };
    const row = { apiServerID: this.#apiServerId, encodingVersion, ...lists };
    if ((await this.#objects.read(place)) === undefined) {
      const object: ApiObject = { metadata: { name: place.name }, spec: {} };
      await this.#objects.create(place.definition, object);
    }
    await this.#objects.change(place, (object) => setServerRow(object, row, this.#context.clock.now()), 'status');
  }
}
