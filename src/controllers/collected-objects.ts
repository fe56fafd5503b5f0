// Objects of garbage collection, on this server and on others: where they are, and how to read, change and delete them.

import { RemoteObjects } from '../aggregator/remote-objects.ts';
import type { RemoteResource } from '../aggregator/remote-resources.ts';
import type { ApiObject } from '../api/object.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { DeleteOptions } from '../verbs/delete-options.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { uidOf } from '../verbs/stored-uid.ts';
import { ControlledObjects, type ObjectPlace, serviceAccount } from './controlled-objects.ts';
import type { ControllerContext } from './controller.ts';
import type { ForeignServers } from './foreign-content.ts';
import { mayBeDeleting } from './stored-marks.ts';

export type CollectedResource = ResourceDefinition | RemoteResource;

/** The location of an object; `namespace` is '' for cluster-scoped objects. */
export interface CollectedPlace {
  readonly definition: CollectedResource;
  readonly namespace: string;
  readonly name: string;
}

export interface CollectionContext extends ControllerContext, ForeignServers {}

/** Whether another server has the resource. */
export function isRemote(definition: CollectedResource): definition is RemoteResource {
  return 'apiService' in definition;
}

/** The name of the APIService whose server has an object; '' for this server. */
export function serverOf({ definition }: CollectedPlace): string {
  return isRemote(definition) ? definition.apiService.name : '';
}

export class CollectedObjects {
  readonly #own: ControlledObjects;
  /** On other servers. */
  readonly remote: RemoteObjects;

  constructor(context: CollectionContext, account: string) {
    this.#own = new ControlledObjects(context, account);
    this.remote = remoteObjects(context, account);
  }

  /** Undefined if it does not exist. Rejects with RemoteError if another server is unavailable. */
  async read(place: CollectedPlace): Promise<ApiObject | undefined> {
    const { definition } = place;
    return isRemote(definition)
      ? await this.remote.read({ ...place, definition })
      : await this.#own.read({ ...place, definition });
  }

  /**
   * An owner with this UID; undefined if it does not exist. Objects name owners freely, thousands of times each, so only
   * an owner that is being deleted is decoded. Rejects with RemoteError if another server is unavailable.
   */
  async owner(place: CollectedPlace, uid: string): Promise<'present' | ApiObject | undefined> {
    const { definition } = place;
    if (isRemote(definition)) {
      const object = await this.remote.read({ ...place, definition });
      return object?.metadata.uid === uid ? object : undefined;
    }
    const stored = await this.#own.stored({ ...place, definition });
    if (stored === undefined || uidOf(stored) !== uid) return undefined;
    return mayBeDeleting(stored) ? decodeStored(stored) : 'present';
  }

  /** Changes the metadata of an object that may have been removed. @throws ApiError or RemoteError */
  async change(place: CollectedPlace, change: (object: ApiObject) => boolean): Promise<void> {
    const { definition } = place;
    if (isRemote(definition)) await this.remote.change({ ...place, definition }, change);
    else await this.#own.change({ ...place, definition }, change);
  }

  /** Deletes an object that may have been removed. @throws ApiError or RemoteError */
  async delete(
    place: CollectedPlace,
    options: Required<Pick<DeleteOptions, 'preconditions' | 'propagationPolicy'>>,
  ): Promise<void> {
    const { definition } = place;
    if (isRemote(definition)) await this.remote.delete({ ...place, definition }, { ...options });
    else await this.#own.delete({ ...place, definition } satisfies ObjectPlace, options);
  }
}

/** Operations of controllers on other servers, with the same service accounts as here. */
export function remoteObjects(context: CollectionContext, account: string): RemoteObjects {
  const { askApiService, watchApiService, apiServices, writes } = context;
  return new RemoteObjects({
    ...{ askApiService, watchApiService, user: serviceAccount(account), turns: writes.registry.turns },
    current: (name) => apiServices.remoteNamed(name),
  });
}
