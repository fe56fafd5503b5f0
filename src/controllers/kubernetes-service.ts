// Controller of the `kubernetes` Service and its endpoints, by which clients inside the cluster reach the server. They
// refer to the server's current address. Like kube-apiserver, which looks at them every ten seconds, it leaves a client
// time to take the address of the deleted Service: what is deleted comes back after that time, and so do the right
// endpoints. Other changes of the Service remain until the next start.

import { ApiError } from '../api/errors.ts';
import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { BootstrapObject } from '../resources/bootstrap.ts';
import { objectIn } from '../resources/fill-in.ts';
import { storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

export class KubernetesService implements Controller {
  readonly name = 'kubernetes-service-controller';
  readonly #context: ControllerContext;
  readonly #corrects: boolean;
  /** The desired objects, by resource. */
  readonly #kept = new Map<string, BootstrapObject>();
  readonly #objects: ControlledObjects;
  readonly #queue: WorkQueue<string>;
  /** The resources that are looked at later. */
  readonly #due = new Set<string>();
  readonly #watches = new Map<string, ObjectWatch>();

  /**
   * @param kept the desired objects
   * @param corrects whether changed endpoints are restored, and not only when objects are replaced
   */
  constructor(context: ControllerContext, kept: readonly BootstrapObject[], { corrects = true } = {}) {
    this.#context = context;
    this.#corrects = corrects;
    for (const each of kept) this.#kept.set(each.definition.resource, each);
    this.#objects = new ControlledObjects(context, this.name, 'kube-apiserver');
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: 1, work: (each) => this.#settle(each) });
  }

  async start(): Promise<void> {
    await Promise.all([...this.#kept.values()].map((each) => this.#follow(each)));
    this.#queue.start();
  }

  /** Replaces the desired objects. */
  async keep(kept: readonly BootstrapObject[]): Promise<void> {
    for (const each of kept) {
      const { resource } = each.definition;
      this.#kept.set(resource, each);
      if (!this.#watches.has(resource)) await this.#follow(each);
      if (resource !== 'services') this.#queue.add(resource);
    }
  }

  async stop(): Promise<void> {
    for (const watch of this.#watches.values()) watch.close();
    await this.#queue.stop();
  }

  async #follow(kept: BootstrapObject): Promise<void> {
    const { definition, namespace, name } = kept;
    const { cache } = await this.#context.writes.registry.storage(definition);
    const settle = () => this.#queue.add(definition.resource);
    const check = () => this.#checkLater(definition.resource);
    const changed = definition.resource === 'services' || !this.#corrects ? () => {} : check;
    const follower = { changed, removed: check, synced: settle };
    this.#watches.set(definition.resource, new ObjectWatch(cache, follower, { ...EVERYTHING, namespace, name }));
  }

  /** Looks at the object of a resource when kube-apiserver would at the latest. Further changes don't postpone that. */
  #checkLater(resource: string): void {
    if (this.#due.has(resource)) return;
    this.#due.add(resource);
    this.#queue.addAfter(resource, limits.endpointLeaseRenewMs);
  }

  /** Makes the object of a resource as it should be. Returns the milliseconds until another attempt, if refused. */
  async #settle(resource: string): Promise<number | undefined> {
    this.#due.delete(resource);
    const kept = this.#kept.get(resource);
    if (kept === undefined) return;
    const { definition, namespace, name, make } = kept;
    const { cache } = await this.#context.writes.registry.storage(definition);
    const stored = cache.get(storageKey(definition, namespace, name));
    const wanted = make();
    if (stored === undefined) return this.#create(kept, wanted);
    if (decodeStored(stored)['addressType'] === wanted['addressType']) {
      await this.#objects.change(kept, (current) => correct(current, wanted));
      return;
    }
    // Immutable.
    await this.#objects.delete(kept);
    return this.#create(kept, wanted);
  }

  async #create({ definition }: BootstrapObject, wanted: ApiObject): Promise<number | undefined> {
    try {
      await this.#objects.create(definition, wanted);
    } catch (error) {
      // Another Service has the address, say. Attempts come at the interval of the checks, not in quick succession.
      if (definition.resource !== 'services' || !(error instanceof ApiError)) throw error;
      this.#context.log.warn('the kubernetes Service was not created', { error });
      return limits.endpointLeaseRenewMs;
    }
    return;
  }
}

/** Makes an object refer to the address of another; returns whether it changed. Modifies its argument. */
function correct(current: ApiObject, wanted: ApiObject): boolean {
  if (wanted['spec'] === undefined) {
    const { subsets, ports, endpoints } = wanted;
    const labels = { ...current.metadata.labels, ...wanted.metadata.labels };
    const changed = setMembers(current, { subsets, ports, endpoints });
    return setMembers(current.metadata as JsonObject, { labels }) || changed;
  }
  const { ports, type } = wanted['spec'] as JsonObject;
  return setMembers(objectIn(current, 'spec'), { ports, type });
}

/** Sets the fields that are not undefined; returns whether one changed. */
function setMembers(object: JsonObject, members: Readonly<Record<string, JsonObject[string] | undefined>>): boolean {
  let changed = false;
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || equalJson(object[name] ?? null, value)) continue;
    object[name] = value;
    changed = true;
  }
  return changed;
}
