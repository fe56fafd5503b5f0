// Keeps the service that clients inside the cluster find the server by: it forwards to where the server listens now, and
// comes back when somebody deletes it. What else is changed in it meanwhile stays until the next start, as in Kubernetes.

import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { BootstrapObject } from '../resources/bootstrap.ts';
import { at } from '../resources/value.ts';
import { storageKey } from '../verbs/registry.ts';
import type { WatchCache } from '../verbs/watch.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

export class KubernetesService implements Controller {
  readonly name = 'kubernetes-service-controller';
  readonly #context: ControllerContext;
  readonly #service: BootstrapObject;
  readonly #objects: ControlledObjects;
  /** Its one key is the name of the service. */
  readonly #queue: WorkQueue<string>;
  #cache: WatchCache | undefined;
  #watch: ObjectWatch | undefined;
  #stopped = false;

  /** @param service as it should be */
  constructor(context: ControllerContext, service: BootstrapObject) {
    const { clock, log } = context;
    this.#context = context;
    this.#service = service;
    this.#objects = new ControlledObjects(context, this.name, 'kube-apiserver');
    this.#queue = new WorkQueue({ name: this.name, clock, log, concurrency: 1, work: () => this.#settle() });
  }

  start(): void {
    void this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#watch?.close();
    await this.#queue.stop();
  }

  async #follow(): Promise<void> {
    const { definition, namespace, name } = this.#service;
    this.#cache = (await this.#context.writes.registry.storage(definition)).cache;
    if (this.#stopped) return;
    const settle = () => this.#queue.add(name);
    const follower = { changed: () => {}, removed: settle, synced: settle };
    this.#watch = new ObjectWatch(this.#cache, follower, { ...EVERYTHING, namespace, name });
    this.#queue.start();
  }

  async #settle(): Promise<undefined> {
    const { definition, namespace, name, make } = this.#service;
    const wanted = make();
    if (this.#cache?.get(storageKey(definition, namespace, name)) === undefined) {
      await this.#objects.create(definition, wanted);
    } else {
      await this.#objects.change(this.#service, (service) => forwardAs(service, wanted));
    }
  }
}

/** Makes a service forward as another does; answers whether it did not. Changes its argument. */
function forwardAs(service: ApiObject, wanted: ApiObject): boolean {
  const spec = service['spec'] as JsonObject;
  const [ports, type] = [at(wanted, 'spec', 'ports'), at(wanted, 'spec', 'type')];
  if (equalJson(spec['ports'] ?? null, ports ?? null) && spec['type'] === type) return false;
  Object.assign(spec, { ports, type });
  return true;
}
