// Namespace controller: deletes the content of terminating namespaces, reports in their conditions what blocks them,
// and removes the finalizer from their spec once they are empty.

import type { ApiObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { objectIn } from '../resources/fill-in.ts';
import { listAt } from '../resources/value.ts';
import { type CollectionContext, remoteObjects } from './collected-objects.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import { type Controller, isDeleting } from './controller.ts';
import { followed } from './followed.ts';
import { reportContent } from './namespace-conditions.ts';
import { emptyNamespace, type NamespaceContent } from './namespace-content.ts';
import { ObjectWatch } from './object-watch.ts';
import { mayBeDeleting } from './stored-marks.ts';
import { WorkQueue } from './work-queue.ts';

const NAMESPACES = 'namespaces';
/** The finalizer for the content. */
const FINALIZER = 'kubernetes';
type NamespaceContext = CollectionContext;

export class NamespaceController implements Controller {
  readonly name = 'namespace-controller';
  readonly #context: NamespaceContext;
  readonly #objects: ControlledObjects;
  readonly #queue: WorkQueue<string>;
  /** What blocked namespaces wait for, by namespace. */
  readonly #waits = new Map<string, readonly ObjectWatch[]>();
  #watch: ObjectWatch | undefined;
  #definitions: { readonly generation: number; readonly list: readonly ResourceDefinition[] } | undefined;

  constructor(context: NamespaceContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, 'namespace-controller');
    this.#queue = new WorkQueue({
      name: this.name,
      context,
      concurrency: limits.controllerWorkers,
      work: (name) => this.#finish(name),
    });
  }

  async start(): Promise<void> {
    const namespaces = await followed(this.#context, '', NAMESPACES);
    if (namespaces === undefined) return;
    this.#watch = new ObjectWatch(namespaces.cache, {
      changed: (namespace) => {
        if (mayBeDeleting(namespace)) this.#queue.add(namespace.name);
      },
    });
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#watch?.close();
    for (const name of [...this.#waits.keys()]) this.#endWait(name);
    await this.#queue.stop();
  }

  async #finish(name: string): Promise<number | undefined> {
    this.#endWait(name);
    const { catalog, clock, writes } = this.#context;
    const definition = catalog.find('', NAMESPACES);
    if (definition === undefined) return undefined;
    const place: ObjectPlace = { definition, namespace: '', name };
    const namespace = await this.#objects.read(place);
    if (namespace === undefined || !isDeleting(namespace)) return undefined;
    if (listAt(namespace, 'spec', 'finalizers').length === 0) return undefined;
    const definitions = this.#namespaced();
    const content = { registry: writes.registry, objects: this.#objects, definitions, namespace: name };
    const report = await this.#emptied(content);
    const { uid } = namespace.metadata;
    const now = timestamp(clock.now());
    await this.#objects.change(
      place,
      (current) => current.metadata.uid === uid && reportContent(current, report, now),
      'status',
    );
    if (report.remaining.size > 0 || report.failures.length > 0 || report.undiscovered.length > 0) {
      await this.#wait(name, report.held);
      return limits.namespaceRecheckMs;
    }
    await this.#objects.change(
      place,
      (current) => current.metadata.uid === uid && removeFinalizer(current),
      'finalize',
    );
    return undefined;
  }

  /** Empties a namespace here and on other servers. */
  async #emptied(content: NamespaceContent) {
    const own = await emptyNamespace(content);
    if (!this.#context.apiServices.hasRemote) return { ...own, undiscovered: [] };
    const { emptyForeign } = await import('./foreign-content.ts');
    const objects = remoteObjects(this.#context, 'namespace-controller');
    const { remaining, finalizers, failures, undiscovered } = await emptyForeign(
      this.#context,
      objects,
      content.namespace,
    );
    return {
      ...own,
      remaining: new Map([...own.remaining, ...remaining]),
      finalizers: added(own.finalizers, finalizers),
      failures: [...own.failures, ...failures],
      undiscovered,
    };
  }

  /** Retries as soon as the last object of a resource is gone. */
  async #wait(name: string, held: readonly ResourceDefinition[]): Promise<void> {
    const { registry } = this.#context.writes;
    const selection = { namespace: name, name: undefined, matches: undefined };
    const watches: ObjectWatch[] = [];
    for (const definition of held) {
      const { cache } = await registry.storage(definition);
      const look = () => {
        if (cache.snapshot().count(selection) === 0) this.#queue.add(name);
      };
      watches.push(new ObjectWatch(cache, { changed: () => {}, removed: look, synced: look }, selection));
    }
    this.#waits.set(name, watches);
  }

  #endWait(name: string): void {
    for (const watch of this.#waits.get(name) ?? []) watch.close();
    this.#waits.delete(name);
  }

  /** Namespaced resources that are currently served. */
  #namespaced(): readonly ResourceDefinition[] {
    const { catalog } = this.#context;
    if (this.#definitions?.generation !== catalog.generation) {
      const byPrefix = new Map<string, ResourceDefinition>();
      for (const each of catalog.definitions) {
        const deletable = each.namespaced && each.verbs.includes('delete') && each.verbs.includes('list');
        if (deletable && !byPrefix.has(each.storagePrefix)) byPrefix.set(each.storagePrefix, each);
      }
      this.#definitions = { generation: catalog.generation, list: [...byPrefix.values()] };
    }
    return this.#definitions.list;
  }
}

function added(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Map<string, number> {
  const sum = new Map(one);
  for (const [key, count] of other) sum.set(key, (sum.get(key) ?? 0) + count);
  return sum;
}

function removeFinalizer(namespace: ApiObject): boolean {
  const spec = objectIn(namespace, 'spec');
  const finalizers = listAt(spec, 'finalizers');
  if (!finalizers.includes(FINALIZER)) return false;
  spec['finalizers'] = finalizers.filter((each) => each !== FINALIZER);
  return true;
}
