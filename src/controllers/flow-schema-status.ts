// Controller of the Dangling condition of FlowSchemas: whether their priority level exists.

import { timestamp } from '../api/timestamp.ts';
import { limits } from '../base/limits.ts';
import { danglingCondition, levelOf } from '../resources/builtin/flowcontrol/dangling.ts';
import { hasCondition } from '../resources/conditions.ts';
import { storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type Followed, followed } from './followed.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
/** The name of this part of kube-apiserver. */
const FIELD_MANAGER = 'api-priority-and-fairness-config-consumer-v1';
/**
 * Maximum number of writes of one schema per minute, so that two servers that disagree do not write forever. As in
 * Kubernetes.
 */
const WRITES_PER_MINUTE = 6;
const MINUTE_MS = 60_000;
/** When a schema that reached the limit is processed again. */
const LATER_MS = 30_000;
export class FlowSchemaStatus implements Controller {
  readonly name = 'flowschema-status-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  /** Names of FlowSchemas. */
  readonly #queue: WorkQueue<string>;
  #schemas: Followed | undefined;
  #levels: Followed | undefined;
  #watches: ObjectWatch[] = [];
  /** Times of writes of each schema within the last minute. */
  readonly #writtenMs = new Map<string, number[]>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, this.name);
    const work = (name: string) => this.#settle(name);
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: limits.controllerWorkers, work });
  }

  async start(): Promise<void> {
    const [schemas, levels] = await Promise.all([
      followed(this.#context, GROUP, 'flowschemas'),
      followed(this.#context, GROUP, 'prioritylevelconfigurations'),
    ]);
    if (schemas === undefined || levels === undefined) return;
    this.#schemas = schemas;
    this.#levels = levels;
    const all = () => {
      for (const { name } of schemas.cache.snapshot().objects(EVERYTHING)) this.#queue.add(name);
    };
    this.#watches = [
      new ObjectWatch(schemas.cache, { changed: ({ name }) => this.#queue.add(name) }),
      new ObjectWatch(levels.cache, {
        changed: (_, previous) => {
          if (previous === undefined) all();
        },
        removed: all,
      }),
    ];
    this.#queue.start();
  }

  async stop(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await this.#queue.stop();
  }

  /** Applied, so that other managers keep their conditions. */
  async #settle(name: string): Promise<number | undefined> {
    const { definition, cache } = this.#schemas!;
    const stored = cache.get(storageKey(definition, '', name));
    if (stored === undefined) {
      this.#writtenMs.delete(name);
      return;
    }
    const schema = decodeStored(stored);
    const level = levelOf(schema);
    const levels = this.#levels!;
    const found = levels.cache.get(storageKey(levels.definition, '', level)) !== undefined;
    const condition = danglingCondition(level, found);
    if (hasCondition(schema, condition)) return;
    const now = this.#context.clock.now();
    const written = (this.#writtenMs.get(name) ?? []).filter((at) => now - at < MINUTE_MS);
    if (written.length >= WRITES_PER_MINUTE) return LATER_MS;
    this.#writtenMs.set(name, [...written, now]);
    const as = { manager: FIELD_MANAGER, subresource: 'status' };
    const conditions = [{ ...condition, lastTransitionTime: timestamp(now) }];
    await this.#objects.apply({ definition, namespace: '', name }, { status: { conditions } }, as);
  }
}
