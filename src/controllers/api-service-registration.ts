// Controller of the APIServices for the APIs of this server: those of custom resources while a definition has the
// version, those of built-in versions once at startup. APIServices without the label are not changed.

import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { CUSTOM_PRIORITY, prioritiesIn } from '../resources/builtin/priorities.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import { storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { definitionOutline } from './definition-outline.ts';
import { type Followed, followed } from './followed.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

const LABEL = 'kube-aggregator.kubernetes.io/automanaged';
const DEFINITIONS_AT_ONCE = 1;

/** The desired APIService. */
interface Wanted {
  readonly spec: JsonObject;
  /** `onstart`: at each start; `true`: always. */
  readonly managed: 'onstart' | 'true';
}

export class ApiServiceRegistration implements Controller {
  readonly name = 'apiservice-registration-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  /** Names of APIServices. */
  readonly #queue: WorkQueue<string>;
  /** Names of definitions. */
  readonly #definitions: WorkQueue<string>;
  /** The APIServices that each CustomResourceDefinition requires, by its name. */
  readonly #wantedBy = new Map<string, readonly string[]>();
  /** The number of definitions that require an APIService. */
  readonly #wants = new Map<string, { count: number; readonly wanted: Wanted }>();
  /** Existing ones at startup that have not been processed yet. */
  readonly #atStart = new Set<string>();
  #apiServices: Followed | undefined;
  #customResources: Followed | undefined;
  readonly #watches: ObjectWatch[] = [];

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, this.name, 'kube-apiserver');
    const work = (name: string) => this.#settle(name);
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: limits.controllerWorkers, work });
    this.#definitions = new WorkQueue({
      name: `${this.name}-definitions`,
      context,
      concurrency: DEFINITIONS_AT_ONCE,
      work: async (name) => this.#read(name),
    });
  }

  async start(): Promise<void> {
    this.#apiServices = await followed(this.#context, 'apiregistration.k8s.io', 'apiservices');
    this.#customResources = await followed(this.#context, 'apiextensions.k8s.io', 'customresourcedefinitions');
    if (this.#apiServices === undefined) return;
    // Unneeded ones are known once all definitions have been read.
    if (this.#customResources !== undefined) await this.#readDefinitions(this.#customResources);
    for (const { name } of this.#apiServices.cache.snapshot().objects(EVERYTHING)) this.#atStart.add(name);
    const look = ({ name }: { name: string }) => this.#queue.add(name);
    this.#watches.push(new ObjectWatch(this.#apiServices.cache, { changed: look, removed: look }));
    this.#queue.start();
  }

  async stop(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await this.#definitions.stop();
    await this.#queue.stop();
  }

  async #readDefinitions({ cache }: Followed): Promise<void> {
    const look = ({ name }: { name: string }) => this.#definitions.add(name);
    await new Promise<void>((synced) => {
      this.#watches.push(new ObjectWatch(cache, { changed: look, removed: look, synced }));
    });
    this.#definitions.start();
    await this.#definitions.quiet();
  }

  /** Records the APIServices that a definition requires. */
  #read(name: string): undefined {
    const { definition, cache } = this.#customResources!;
    const stored = cache.get(storageKey(definition, '', name));
    const wanted = stored === undefined ? [] : wantedBy(definitionOutline(stored));
    const before = this.#wantedBy.get(name) ?? [];
    const names = wanted.map(([each]) => each);
    if (names.join() === before.join()) return undefined;
    if (names.length === 0) this.#wantedBy.delete(name);
    else this.#wantedBy.set(name, names);
    for (const [each, its] of wanted) {
      const known = this.#wants.get(each);
      if (known === undefined) this.#wants.set(each, { count: 1, wanted: its });
      else known.count++;
    }
    for (const each of before) {
      const known = this.#wants.get(each);
      if (known !== undefined && --known.count === 0) this.#wants.delete(each);
    }
    for (const each of [...names, ...before]) this.#queue.add(each);
    return undefined;
  }

  /** Whether there are definitions that cannot be read. */
  #hidesDefinitions(): boolean {
    const followed = this.#customResources;
    return followed !== undefined && followed.cache.unreadable.within(followed.definition.storagePrefix).length > 0;
  }

  async #settle(name: string): Promise<number | undefined> {
    const { definition, cache } = this.#apiServices!;
    const first = this.#atStart.delete(name);
    const place: ObjectPlace = { definition, namespace: '', name };
    const wanted = this.#builtin(name) ?? this.#wants.get(name)?.wanted;
    const stored = cache.get(storageKey(definition, '', name));
    if (stored === undefined) {
      if (wanted?.managed === 'true') await this.#objects.create(definition, apiService(name, wanted));
      return;
    }
    const current = decodeStored(stored);
    const managed = current.metadata.labels?.[LABEL];
    if (managed !== 'true' && managed !== 'onstart') return;
    if ((managed === 'onstart' || wanted?.managed === 'onstart') && !first) return;
    const { uid } = current.metadata;
    if (wanted === undefined) {
      // It may be that of a definition that cannot be read.
      if (managed === 'true' && this.#hidesDefinitions()) return limits.unreadableDefinitionsMs;
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      await this.#objects.delete(place, preconditions as object);
    } else if (!equalJson(current['spec'], wanted.spec)) {
      await this.#objects.change(place, (now) => now.metadata.uid === uid && respecify(now, wanted));
    }
  }

  /** The APIService of a built-in version. */
  #builtin(name: string): Wanted | undefined {
    const dot = name.indexOf('.');
    const [version, group] = [name.slice(0, dot), name.slice(dot + 1)];
    const priority = prioritiesIn(group, this.#context.catalog.minor);
    if (priority === undefined || !this.#context.catalog.hasVersion(group, version)) return undefined;
    return {
      spec: {
        ...(group === '' ? {} : { group }),
        version,
        groupPriorityMinimum: priority.group,
        versionPriority: priority.versions[version] ?? 0,
      },
      managed: 'onstart',
    };
  }
}

function wantedBy(definition: ApiObject): [name: string, wanted: Wanted][] {
  const group = textAt(definition, 'spec', 'group');
  const served = listAt(definition, 'spec', 'versions').filter((each) => at(each, 'served') === true);
  return served.map((each) => {
    const version = textAt(each, 'name');
    const { group: groupPriorityMinimum, version: versionPriority } = CUSTOM_PRIORITY;
    return [
      `${version}.${group}`,
      { spec: { group, version, groupPriorityMinimum, versionPriority }, managed: 'true' },
    ];
  });
}

function apiService(name: string, { spec, managed }: Wanted): ApiObject {
  return { kind: '', apiVersion: '', metadata: { name, labels: { [LABEL]: managed } }, spec: { ...spec } };
}

function respecify(apiService: ApiObject, { spec }: Wanted): boolean {
  apiService['spec'] = { ...spec };
  return true;
}
