// Controller of the mandatory and suggested FlowSchemas and PriorityLevelConfigurations. Mandatory ones are always
// restored; suggested ones are restored if their annotation says so or nobody has changed them. All are recreated after
// deletion, and those of older releases are deleted.

import { equalJson } from '../api/json-equal.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { Timer } from '../base/clock.ts';
import { parseBool } from '../lifecycle/feature-gates.ts';
import { flowSchemas, type NamedSpec, priorityLevels } from '../resources/bootstrap/flow-control.ts';
import { storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type Followed, followed } from './followed.ts';
import { EVERYTHING } from './object-watch.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
/** The name of this part of kube-apiserver. */
const FIELD_MANAGER = 'api-priority-and-fairness-config-producer-v1';
const ANNOTATION = 'apf.kubernetes.io/autoupdate-spec';
const MANDATORY: ReadonlySet<string> = new Set(['exempt', 'catch-all']);
/** Reconcile interval, as in Kubernetes. */
const PERIOD_MS = 60_000;

interface Kept {
  readonly resource: Followed;
  readonly objects: readonly NamedSpec[];
}

export class FlowControlObjects implements Controller {
  readonly name = 'flowcontrol-objects-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  #kept: readonly Kept[] = [];
  /** The revisions of objects that were found to be as wanted, by key. */
  readonly #sound = new Map<string, number>();
  #timer: Timer | undefined;
  #round: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, this.name, FIELD_MANAGER);
  }

  async start(): Promise<void> {
    const [levels, schemas] = await Promise.all([
      followed(this.#context, GROUP, 'prioritylevelconfigurations'),
      followed(this.#context, GROUP, 'flowschemas'),
    ]);
    if (levels === undefined || schemas === undefined) return;
    this.#kept = [
      { resource: levels, objects: priorityLevels() },
      { resource: schemas, objects: flowSchemas(this.#context.catalog.minor) },
    ];
    this.#repeat();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#round;
  }

  #repeat(): void {
    if (this.#stopped) return;
    const { clock, log } = this.#context;
    this.#round = this.#keepAll().catch((error: unknown) => {
      if (!this.#stopped) log.warn('flow schemas or priority levels could not be kept', { error });
    });
    this.#timer = clock.after(PERIOD_MS, () => this.#repeat());
  }

  /** Suggested ones first, then mandatory ones, then obsolete ones. */
  async #keepAll(): Promise<void> {
    for (const mandatory of [false, true]) {
      for (const { resource, objects } of this.#kept) {
        for (const each of objects) {
          if (MANDATORY.has(each.name) === mandatory && !this.#stopped) await this.#keep(resource, each);
        }
      }
    }
    for (const { resource, objects } of this.#kept) await this.#removeForeign(resource, objects);
  }

  async #keep({ definition, cache }: Followed, { name, spec }: NamedSpec): Promise<void> {
    const key = storageKey(definition, '', name);
    const stored = cache.get(key);
    if (stored !== undefined && this.#sound.get(key) === stored.revision) return;
    if (stored === undefined) {
      const metadata = { name, annotations: { [ANNOTATION]: 'true' } };
      await this.#objects.create(definition, { kind: '', apiVersion: '', metadata, spec: copyJson(spec) });
      return;
    }
    const wanted = { spec, mandatory: MANDATORY.has(name) };
    if (!revise(copyJson(decodeStored(stored)), wanted)) {
      this.#sound.set(key, stored.revision);
      return;
    }
    await this.#objects.change({ definition, namespace: '', name }, (current) => revise(current, wanted));
  }

  /** Annotated objects that this release does not define. */
  async #removeForeign({ definition, cache }: Followed, objects: readonly NamedSpec[]): Promise<void> {
    const known = new Set(objects.map(({ name }) => name));
    for (const stored of [...cache.snapshot().objects(EVERYTHING)]) {
      const { name } = stored;
      if (known.has(name) || this.#stopped) continue;
      const value = decodeStored(stored).metadata.annotations?.[ANNOTATION];
      if (value === undefined || parseBool(value) !== true) continue;
      await this.#objects.delete({ definition, namespace: '', name });
    }
  }
}

/** The operator decides how many seats exempt requests take from others, whatever else is restored. */
function withOperatorsShares(object: ApiObject, spec: JsonObject): JsonObject {
  const { exempt } = (object['spec'] ?? {}) as JsonObject;
  return spec['exempt'] === undefined || exempt === undefined ? spec : { ...spec, exempt };
}

/** Restores an object; returns whether anything changed. Modifies its argument. */
function revise(object: ApiObject, wanted: { spec: JsonObject; mandatory: boolean }): boolean {
  const { mandatory } = wanted;
  const spec = withOperatorsShares(object, wanted.spec);
  const { annotations = {}, generation } = object.metadata;
  const said = parseBool(annotations[ANNOTATION] ?? '');
  // An unchanged object is restored regardless of the annotation.
  const follows = mandatory || (said ?? Number(generation) === 1);
  let revised = false;
  if (said !== follows) {
    object.metadata.annotations = { ...annotations, [ANNOTATION]: String(follows) };
    revised = true;
  }
  if (follows && !equalJson(object['spec'] ?? null, spec)) {
    object['spec'] = copyJson(spec);
    revised = true;
  }
  return revised;
}
