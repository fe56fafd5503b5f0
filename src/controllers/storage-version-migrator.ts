// Controller of StorageVersionMigrations: rewrites every object of a resource unchanged, so that it is stored in the
// current storage version, and reports progress in the status.

import { ApiError } from '../api/errors.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { isAnyTrue } from '../resources/conditions.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { textAt } from '../resources/value.ts';
import { storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type Followed, followed } from './followed.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

type Outcome = 'Running' | 'Succeeded' | 'Failed';

const REASONS: Readonly<Record<Outcome, string>> = {
  Running: 'StorageVersionMigrationInProgress',
  Succeeded: 'StorageVersionMigrationSucceeded',
  Failed: 'StorageVersionMigrationFailed',
};

export class StorageVersionMigrator implements Controller {
  readonly name = 'storage-version-migrator-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  /** Names of migrations, processed one after the other. */
  readonly #queue: WorkQueue<string>;
  #migrations: Followed | undefined;
  #watch: ObjectWatch | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, this.name);
    const work = (name: string) => this.#migrate(name);
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: 1, work });
  }

  /** Nothing to do without its gate and its API version. */
  async start(): Promise<void> {
    this.#migrations = await followed(this.#context, 'storagemigration.k8s.io', 'storageversionmigrations');
    if (this.#migrations === undefined) return;
    this.#watch = new ObjectWatch(this.#migrations.cache, { changed: ({ name }) => this.#queue.add(name) });
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#watch?.close();
    await this.#queue.stop();
  }

  async #migrate(name: string): Promise<undefined> {
    const { definition, cache } = this.#migrations!;
    const stored = cache.get(storageKey(definition, '', name));
    if (stored === undefined) return;
    const migration = decodeStored(stored);
    if (isAnyTrue(migration, 'Succeeded') || isAnyTrue(migration, 'Failed')) return;
    const wanted = this.#resourceOf(migration);
    if (wanted === undefined) return this.#tell(name, 'Failed', 'resource does not exist in discovery');
    const { cache: objects } = await this.#context.writes.registry.storage(wanted);
    const until = objects.revision;
    await this.#change(name, (status) => {
      status['resourceVersion'] ||= String(until);
      return setCondition(status, this.#condition('Running'));
    });
    const failed = await this.#rewrite(wanted, objects.snapshot().objects(EVERYTHING));
    if (failed === undefined) return this.#tell(name, 'Succeeded');
    const { log } = this.#context;
    log.warn('an object could not be migrated', { migration: name, resource: wanted.resource, error: failed });
    await this.#tell(name, 'Failed', 'migration encountered unhandled error');
  }

  /**
   * Rewrites objects. Objects changed meanwhile have been migrated by that. @returns the error that could not be
   * overcome
   */
  async #rewrite(
    definition: ResourceDefinition,
    objects: Iterable<{ namespace: string; name: string }>,
  ): Promise<ApiError | undefined> {
    for (const { namespace, name } of [...objects]) {
      try {
        await this.#objects.change({ definition, namespace, name }, () => true);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status.code !== 409) return error;
      }
    }
    return undefined;
  }

  #resourceOf(migration: ApiObject): ResourceDefinition | undefined {
    const wanted = (part: string) => textAt(migration, 'spec', 'resource', part);
    const definition = this.#context.catalog.find(wanted('group'), wanted('resource'));
    return definition?.versions.some(({ version }) => version === wanted('version')) ? definition : undefined;
  }

  #condition(outcome: Outcome, message = ''): JsonObject {
    const lastUpdateTime = timestamp(this.#context.clock.now());
    const said = message === '' ? {} : { message };
    return { type: outcome, status: 'True', lastUpdateTime, reason: REASONS[outcome], ...said };
  }

  async #tell(name: string, outcome: Outcome, message?: string): Promise<undefined> {
    await this.#change(name, (status) => setCondition(status, this.#condition(outcome, message)));
  }

  async #change(name: string, change: (status: JsonObject) => boolean): Promise<void> {
    const { definition } = this.#migrations!;
    const place = { definition, namespace: '', name };
    await this.#objects.change(
      place,
      (object) => {
        const status = (object['status'] ??= {}) as JsonObject;
        return change(status);
      },
      'status',
    );
  }
}

/** A finished migration is not running. @returns whether anything changed */
function setCondition(status: JsonObject, condition: JsonObject): boolean {
  const conditions = (status['conditions'] ?? []) as JsonObject[];
  if (conditions.some(({ type, status: state }) => type === condition['type'] && state === 'True')) return false;
  for (const each of conditions) if (each['type'] === 'Running') each['status'] = 'False';
  status['conditions'] = [...conditions, condition];
  return true;
}
