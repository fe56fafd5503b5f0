// Warning events for owner references that lead to an object of another namespace, which the garbage collector takes
// for a missing owner.

import type { ApiObject, OwnerReference } from '../api/object.ts';
import { timestamp } from '../verbs/object-metadata.ts';
import { type CollectedPlace, isRemote } from './collected-objects.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { ControllerContext } from './controller.ts';
import { EVERYTHING } from './object-watch.ts';
import type { OwnerLookup } from './owner-lookup.ts';
import { uidOf } from './stored-marks.ts';

const COMPONENT = 'garbage-collector-controller';

export class MisplacedOwners {
  readonly #context: ControllerContext;
  readonly #owners: OwnerLookup;
  readonly #objects: ControlledObjects;

  /** @param account the service account that writes the events */
  constructor(context: ControllerContext, owners: OwnerLookup, account: string) {
    this.#context = context;
    this.#owners = owners;
    this.#objects = new ControlledObjects(context, account);
  }

  /** Writes an event for each reference of a dependent that leads to another namespace. @throws ApiError */
  async report(dependent: ApiObject, place: CollectedPlace, references: readonly OwnerReference[]): Promise<void> {
    for (const reference of references) {
      if (await this.#isElsewhere(reference, place)) await this.#write(dependent, place, reference);
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

  async #write(
    { kind, apiVersion, metadata }: ApiObject,
    { namespace, name }: CollectedPlace,
    owner: OwnerReference,
  ): Promise<void> {
    const { catalog, clock } = this.#context;
    const events = catalog.find('', 'events');
    if (events === undefined) return;
    const now = clock.now();
    const identity = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
    const place = namespace || 'default';
    await this.#objects.create(events, {
      // Nanoseconds since the Unix epoch, as clients of Kubernetes name their events.
      metadata: { name: `${name}.${(BigInt(Math.round(now * 1000)) * 1000n).toString(16)}`, namespace: place },
      involvedObject: { kind, namespace, name, uid: metadata.uid, apiVersion },
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${identity} does not exist in namespace "${namespace}"`,
      source: { component: COMPONENT },
      reportingComponent: COMPONENT,
      firstTimestamp: timestamp(now),
      lastTimestamp: timestamp(now),
      count: 1,
    } as unknown as ApiObject);
  }
}
