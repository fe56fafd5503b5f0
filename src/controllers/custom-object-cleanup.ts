// Deletion of the objects of CustomResourceDefinitions that are being deleted, and of the finalizers that wait for it.
// Objects are read and deleted in their storage version, without admission: neither a conversion webhook that is gone nor
// an admission webhook keeps a definition.

import type { ApiObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { limits } from '../base/limits.ts';
import { CLEANUP_FINALIZER } from '../resources/builtin/apiextensions/strategy.ts';
import { isAnyTrue } from '../resources/conditions.ts';
import {
  markDeletionFailed,
  markTerminating,
  type TerminatingState,
} from '../resources/custom/definition-conditions.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { prepareStored } from '../verbs/converted-storage.ts';
import { ADMITTED } from '../verbs/write.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import { type ControllerContext, isDeleting } from './controller.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

interface CleanupInit {
  /** How definitions are read and written. */
  readonly definitions: ControlledObjects;
  readonly placeOf: (name: string) => ObjectPlace;
  /** The resource of a definition in its storage version; undefined if it was never established. */
  readonly storedResource: (name: string) => ResourceDefinition | undefined;
}

export class CustomObjectCleanup {
  readonly #context: ControllerContext;
  readonly #init: CleanupInit;
  readonly #objects: ControlledObjects;
  readonly #queue: WorkQueue<string>;
  /** What definitions wait for. */
  readonly #waits = new Map<string, ObjectWatch>();

  constructor(context: ControllerContext, init: CleanupInit) {
    this.#context = context;
    this.#init = init;
    const { catalog, writes } = context;
    const unjudged = { catalog, writes: { registry: writes.registry, admission: ADMITTED } };
    this.#objects = new ControlledObjects(unjudged, 'custom-resource-controller', 'kube-apiserver');
    this.#queue = new WorkQueue({
      name: 'custom-resources-cleanup',
      context,
      concurrency: limits.slowWorkers,
      work: (name) => this.#clean(name),
    });
  }

  start(): void {
    this.#queue.start();
  }

  async stop(): Promise<void> {
    for (const watch of this.#waits.values()) watch.close();
    await this.#queue.stop();
  }

  /** Cleans up after a definition that is being deleted. */
  add(name: string): void {
    this.#queue.add(name);
  }

  async #clean(name: string): Promise<number | undefined> {
    this.#waits.get(name)?.close();
    this.#waits.delete(name);
    const definition = await this.#init.definitions.read(this.#init.placeOf(name));
    if (definition === undefined || !isDeleting(definition)) return undefined;
    if (definition.metadata.finalizers?.includes(CLEANUP_FINALIZER) !== true) return undefined;
    await this.#change(name, (each, now) => markTerminating(each, 'inProgress', now));
    const resource = this.#init.storedResource(name);
    const state = this.#stateOf(definition, resource);
    if (state === 'completed' && resource !== undefined && (await this.#removeObjects(name, resource))) {
      return limits.namespaceRecheckMs;
    }
    await this.#change(name, (each, now) => releaseDefinition(each, state, now));
    return undefined;
  }

  /** How the deletion ends if it succeeds. */
  #stateOf(definition: ApiObject, resource: ResourceDefinition | undefined): TerminatingState {
    if (resource === undefined || !isAnyTrue(definition, 'Established')) return 'neverEstablished';
    return this.#context.catalog.overlapsBuiltin(resource) ? 'overlapping' : 'completed';
  }

  /** @returns whether objects remain, blocked by something else */
  async #removeObjects(name: string, resource: ResourceDefinition): Promise<boolean> {
    const { registry } = this.#context.writes;
    const { cache } = await registry.storage(resource);
    const objects = [...cache.snapshot().objects(EVERYTHING)];
    await this.#telling(name, 'could not list instances', async () => prepareStored(resource, objects));
    await this.#telling(name, 'could not issue all deletes', async () => {
      const turn = registry.turns.begin({ taskName: `deleting all ${resource.resource}` });
      for (const { namespace, name } of objects) {
        await this.#objects.delete({ definition: resource, namespace, name });
        await turn.over();
      }
    });
    if (cache.snapshot().count(EVERYTHING) === 0) return false;
    const look = () => {
      if (cache.snapshot().count(EVERYTHING) === 0) this.#queue.add(name);
    };
    this.#waits.set(name, new ObjectWatch(cache, { changed: () => {}, removed: look, synced: look }));
    return true;
  }

  /** Runs a step, and says in the status of the definition why it failed. */
  async #telling(name: string, what: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const message = `${what}: ${(error as Error).message}`;
      await this.#change(name, (each, now) => markDeletionFailed(each, message, now));
      throw error;
    }
  }

  /** Written as status, which is not validated against rules that the definition may violate by now. */
  async #change(name: string, change: (definition: ApiObject, now: string) => boolean): Promise<void> {
    const now = timestamp(this.#context.clock.now());
    await this.#init.definitions.change(this.#init.placeOf(name), (each) => change(each, now), 'status');
  }
}

function releaseDefinition(definition: ApiObject, state: TerminatingState, now: string): boolean {
  const { finalizers = [] } = definition.metadata;
  if (!finalizers.includes(CLEANUP_FINALIZER)) return false;
  markTerminating(definition, state, now);
  definition.metadata.finalizers = finalizers.filter((each) => each !== CLEANUP_FINALIZER);
  return true;
}
