// Client for the parts of a cluster: reads come from informers, writes go through the same verbs as those of any client,
// and a write has reached the informers when it resolves. So no part ever has to remember what it has just written.

import type { ApiObject, Draft, JsonObject } from '../api/object.ts';
import type { User } from '../auth/user.ts';
import { limits } from '../base/limits.ts';
import { ControlledObjects, type ObjectPlace } from '../controllers/controlled-objects.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { DeleteOptions } from '../verbs/delete-options.ts';
import type { PatchBody } from '../verbs/patch.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { ClusterContext } from './context.ts';
import type { Informed, Informer } from './informer.ts';

export class ClusterObjects {
  readonly #context: ClusterContext;
  readonly #objects: ControlledObjects;

  /**
   * @param as who writes: a service account in kube-system, or another user
   * @param userAgent determines the manager in managedFields; kube-controller-manager by default
   */
  constructor(context: ClusterContext, as: string | User, userAgent?: string) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, as, userAgent);
  }

  /** Creates an object of the storage version; kind and apiVersion are filled in. @throws ApiError like any create */
  async create<T extends Informed>({ definition }: Informer<T>, object: Draft<T>): Promise<T> {
    const create = () => this.#objects.create(definition, object as unknown as ApiObject);
    return this.#seen<T>(definition, await this.#context.pace.run(create));
  }

  /**
   * Changes an object, if it is still the same one, by UID. The change is computed again if the object was changed
   * meanwhile.
   *
   * @param of an object of the informer, in any state
   * @param change modifies a copy of the latest state; returns whether there was anything to change
   * @returns the latest state; undefined if the object is gone
   * @throws ApiError like any update
   */
  update<T extends Informed>(
    informer: Informer<T>,
    of: Informed,
    change: (object: Draft<T>) => boolean,
  ): Promise<T | undefined> {
    return this.#change(informer, of, { change, subresource: '' });
  }

  /** Like `update`, of the subresource status. */
  updateStatus<T extends Informed>(
    informer: Informer<T>,
    of: Informed,
    change: (object: Draft<T>) => boolean,
  ): Promise<T | undefined> {
    return this.#change(informer, of, { change, subresource: 'status' });
  }

  async #change<T extends Informed>(
    { definition }: Informer<T>,
    { metadata: { namespace = '', name = '', uid } }: Informed,
    { change, subresource }: { readonly change: (object: Draft<T>) => boolean; readonly subresource: string },
  ): Promise<T | undefined> {
    const place: ObjectPlace = { definition, namespace, name };
    let isSame = true;
    const changeSame = (object: ApiObject) => {
      isSame = uid === undefined || object.metadata.uid === uid;
      return isSame && change(object as unknown as Draft<T>);
    };
    const stored = await this.#context.pace.run(() => this.#objects.change(place, changeSame, subresource));
    return stored === undefined || !isSame ? undefined : this.#seen<T>(definition, stored);
  }

  /**
   * Deletes an object, if it is still the same one, by UID. A missing object is not an error.
   * @throws ApiError like any delete, 409 if there is another object of that name
   */
  async delete(
    { definition }: { readonly definition: ResourceDefinition },
    { metadata: { namespace = '', name = '', uid } }: Informed,
    options: Partial<DeleteOptions> = {},
  ): Promise<void> {
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await this.#context.pace.run(() =>
      this.#objects.delete({ definition, namespace, name }, { ...preconditions, ...options }),
    );
    await this.#caughtUp(definition);
  }

  /**
   * Force-applies fields of a status. A missing object is not an error.
   *
   * @param manager in managedFields
   * @throws ApiError like any apply
   */
  async applyStatus(
    { definition }: { readonly definition: ResourceDefinition },
    { metadata: { namespace = '', name = '' } }: Informed,
    { status, manager }: { readonly status: JsonObject; readonly manager: string },
  ): Promise<void> {
    const place = { definition, namespace, name };
    await this.#context.pace.run(() => this.#objects.apply(place, { status }, { manager, subresource: 'status' }));
    await this.#caughtUp(definition);
  }

  /** Patches an object or a subresource. @throws ApiError like any patch, 404 for a missing object */
  async patch(
    { definition }: { readonly definition: ResourceDefinition },
    { metadata: { namespace = '', name = '' } }: Informed,
    { patch, subresource }: { readonly patch: PatchBody; readonly subresource: string },
  ): Promise<void> {
    const place = { definition, namespace, name };
    await this.#context.pace.run(() => this.#objects.patch(place, patch, subresource));
    await this.#caughtUp(definition);
  }

  /** Resolves once informers know of all writes. */
  async #caughtUp(definition: ResourceDefinition): Promise<void> {
    const { cache, store } = await this.#context.writes.registry.storage(definition);
    await store.catchUp?.();
    await cache.waitFor(store.currentRevision(), limits.freshnessWaitMs);
  }

  async #seen<T>(definition: ResourceDefinition, stored: StoredObject): Promise<T> {
    const { cache } = await this.#context.writes.registry.storage(definition);
    if (cache.revision < stored.revision) await cache.waitFor(stored.revision, limits.freshnessWaitMs);
    return decodeStored(stored) as unknown as T;
  }
}
