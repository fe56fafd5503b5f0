// Warning events for owner references that lead to an object of another namespace, which the garbage collector takes
// for a missing owner.

import type { ApiObject, OwnerReference } from '../api/object.ts';
import { uidOf } from '../verbs/stored-uid.ts';
import { type CollectedPlace, isRemote } from './collected-objects.ts';
import type { ControllerContext } from './controller.ts';
import { EventRecorder } from './event-recorder.ts';
import { EVERYTHING } from './object-watch.ts';
import type { OwnerLookup } from './owner-lookup.ts';

export class MisplacedOwners {
  readonly #context: ControllerContext;
  readonly #owners: OwnerLookup;
  readonly #events: EventRecorder;

  /** @param account the service account that writes the events */
  constructor(context: ControllerContext, owners: OwnerLookup, account: string) {
    this.#context = context;
    this.#owners = owners;
    this.#events = new EventRecorder(context, { component: 'garbage-collector-controller', as: account });
  }

  /** Writes an event for each reference of a dependent that leads to another namespace. */
  async report(dependent: ApiObject, place: CollectedPlace, references: readonly OwnerReference[]): Promise<void> {
    const { namespace } = place;
    const { kind, apiVersion, metadata } = dependent;
    // Kubernetes' graph knows no versions of objects.
    const involved = { kind, apiVersion, metadata: { ...metadata, resourceVersion: undefined } };
    for (const reference of references) {
      if (!(await this.#isElsewhere(reference, place))) continue;
      const { name, uid } = reference;
      const owner = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
      const message = `ownerRef ${owner} does not exist in namespace "${namespace}"`;
      await this.#events.warn(involved, 'OwnerRefInvalidNamespace', message);
    }
  }

  /** Whether an object of another namespace has the name and UID of an owner. */
  async #isElsewhere(reference: OwnerReference, { namespace }: CollectedPlace): Promise<boolean> {
    const definition = this.#owners.definitionOf(reference);
    if (definition === undefined || isRemote(definition) || !definition.namespaced) return false;
    const { cache } = await this.#context.writes.registry.storage(definition);
    for (const stored of cache.snapshot().objects({ ...EVERYTHING, name: reference.name })) {
      if (stored.namespace !== namespace && uidOf(stored) === reference.uid) return true;
    }
    return false;
  }
}
