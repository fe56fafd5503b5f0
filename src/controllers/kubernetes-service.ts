// Controller of the `kubernetes` Service and its endpoints, by which clients inside the cluster reach the server. They
// refer to the server's current address and are recreated after deletion. Other changes of the Service remain until the
// next start, as in Kubernetes; its endpoints are restored immediately.

import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
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
  readonly #correctsAtOnce: boolean;
  /** The desired objects, by resource. */
  readonly #kept = new Map<string, BootstrapObject>();
  readonly #objects: ControlledObjects;
  readonly #queue: WorkQueue<string>;
  readonly #watches = new Map<string, ObjectWatch>();

  /**
   * @param kept the desired objects
   * @param correctsAtOnce whether changed endpoints are restored immediately, and not only when objects are replaced
   */
  constructor(context: ControllerContext, kept: readonly BootstrapObject[], { correctsAtOnce = true } = {}) {
    this.#context = context;
    this.#correctsAtOnce = correctsAtOnce;
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
    const changed = definition.resource === 'services' || !this.#correctsAtOnce ? () => {} : settle;
    const follower = { changed, removed: settle, synced: settle };
    this.#watches.set(definition.resource, new ObjectWatch(cache, follower, { ...EVERYTHING, namespace, name }));
  }

  async #settle(resource: string): Promise<undefined> {
    const kept = this.#kept.get(resource);
    if (kept === undefined) return;
    const { definition, namespace, name, make } = kept;
    const { cache } = await this.#context.writes.registry.storage(definition);
    const stored = cache.get(storageKey(definition, namespace, name));
    const wanted = make();
    if (stored === undefined) await this.#objects.create(definition, wanted);
    // Immutable; the replacement object follows.
    else if (decodeStored(stored)['addressType'] !== wanted['addressType']) await this.#objects.delete(kept);
    else await this.#objects.change(kept, (current) => correct(current, wanted));
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
