// The only place where objects are written to the store, where lost races are retried, and where removing the last
// finalizer removes the object.

import { ApiError, errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import type { RequestLife } from '../api/request-life.ts';
import type { Turn } from '../base/short-turns.ts';
import { isLater, type Soon } from '../base/soon.ts';
import { carriedOut } from '../base/steps.ts';
import type { StoreOperation } from '../lifecycle/storage-series.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { type Expected, StoreBusyError, StoreError, StoreTimeoutError, type WriteResult } from '../store/store.ts';
import { StoreTooLargeError } from '../store/too-large.ts';
import { TransformError } from '../store/value-transformer.ts';
import { findStored, newestStored, storeTimeout } from './caught-up.ts';
import { copiedObject } from './computed.ts';
import { encodeForStore, prepareStored } from './converted-storage.ts';
import { type Registry, storageKey } from './registry.ts';
import type { ResourceRequest, StoredObject } from './resource-request.ts';
import { decodeStored, encodeBesideSpec, metadataOffset } from './stored-form.ts';
import { assertFits } from './stored-size.ts';
import { assertUpdatable } from './unreadable.ts';
import type { Write } from './write.ts';

/** The result of a change: a new object, or nothing to do. */
export type Change = { readonly next: ApiObject } | 'remove' | 'nothing';

interface Update {
  /**
   * Computes the change from the current object, which is shared and must not be modified; returning that object itself
   * means no change. Runs again if the object changed meanwhile; throws ApiError to give up.
   */
  readonly change: (current: ApiObject, stored: StoredObject) => Soon<Change>;
  /** Stores objects that are about to be removed too, so that watchers see them first. */
  readonly keepFinished?: boolean;
  /** The outcome if the object has been removed meanwhile; an error by default. */
  readonly gone?: Written | undefined;
}

interface Written {
  readonly object: StoredObject;
  readonly removed: boolean;
}

/** Stores a new object. @throws ApiError 409 if the name is taken, 500 if it has a resource version */
export async function storeNew(
  registry: Registry,
  request: Pick<ResourceRequest, 'definition' | 'phases' | 'life'> & { readonly turn?: Turn | undefined },
  write: {
    object: ApiObject;
    /** The name that it is stored under; by default its own. */
    name?: string | undefined;
    dryRun: boolean;
    keepsManagers?: boolean;
    isFilledIn?: boolean;
    leftovers?: readonly string[];
  },
): Promise<StoredObject> {
  const { definition } = request;
  const { object } = write;
  const name = write.name ?? object.metadata.name ?? '';
  const key = storageKey(definition, object.metadata.namespace ?? '', name);
  const { resourceVersion = '' } = object.metadata;
  const isVersioned = /^\d+$/.test(resourceVersion) && Number(resourceVersion) > 0;
  if (isVersioned && !write.dryRun) {
    throw errors.unexplained('resourceVersion should not be set on objects to be created');
  }
  const { cache } = await registry.storage(definition);
  const encoding = encodeForStore(definition, object, request.turn);
  const bytes = isLater(encoding) ? await encoding : encoding;
  if (request.turn !== undefined) await request.turn.over();
  if (write.dryRun) {
    const standing = cache.get(key);
    if (standing !== undefined) throw taken(definition, name, standing);
    const { storedForm } = definition;
    const shown = withVersion(bytes, resourceVersion);
    // Like the stored object, so that callers need not decode it.
    if (storedForm !== undefined && storedForm.conversion === undefined) {
      const reading = carriedOut(storedForm.readingWritten(object, shown), request.turn);
      if (isLater(reading)) await reading;
    }
    return { bytes: shown, revision: 0 };
  }
  const { isFilledIn = false, leftovers = [], keepsManagers = false } = write;
  const call = { registry, definition, operation: 'create', life: request.life } as const;
  const put = { key, object, bytes, expected: 'absent', isFilledIn, leftovers, turn: request.turn } as const;
  const { result, bytes: stored } = await putFitting(call, put, keepsManagers);
  request.phases?.spent('store');
  if (!result.written) {
    throw taken(definition, name, result.current?.unreadable === undefined ? currentOf(result) : undefined);
  }
  object.metadata.resourceVersion = String(result.revision);
  return { bytes: stored, revision: result.revision };
}

/** A dry run does not reach the check of the version, and returns it. */
function withVersion(bytes: Buffer, resourceVersion: string): Buffer {
  if (resourceVersion === '') return bytes;
  const start = metadataOffset(bytes);
  const member = Buffer.from(`"resourceVersion":${JSON.stringify(resourceVersion)},`);
  return Buffer.concat([bytes.subarray(0, start), member, bytes.subarray(start)]);
}

function taken({ group, resource }: ResourceDefinition, name: string, standing: StoredObject | undefined): ApiError {
  const deleting = standing !== undefined && decodeStored(standing).metadata.deletionTimestamp !== undefined;
  return errors.alreadyExists({ group, resource, name }, deleting);
}

/**
 * Changes an existing object. If another write comes in between, the change is computed again, for as long as the client
 * waits: some write has succeeded each time.
 * @throws ApiError 404 if it does not exist
 */
export async function updateStored(write: Write, update: Update): Promise<Written> {
  const { registry, request } = write;
  const { definition, namespace, name } = request;
  const { group, resource } = definition;
  const storage = await registry.storage(definition);
  const key = storageKey(definition, namespace, name);
  const found = findStored(storage, key);
  let stored: StoredObject | undefined = isLater(found) ? await found : found;
  // If other servers write to the store, the cache may be out of date.
  let isNewest = storage.store.catchUp === undefined;
  for (;;) {
    assertUpdatable(registry, storage, key);
    if (stored === undefined) {
      if (update.gone !== undefined) return update.gone;
      throw errors.notFound({ group, resource, name });
    }
    const outcome = await (isNewest ? changeOnce : changeOrRefresh)({ write, update, key, stored, isSent: false });
    if ('object' in outcome) return outcome;
    if (request.life?.isAbandoned === true) throw errors.abandoned();
    stored = outcome.current;
    isNewest = true;
    // All that have lost to one write would otherwise try again in the same turn of the event loop.
    await new Promise<void>((run) => registry.turns.later({ taskName: `changing ${resource} again` }, run));
  }
}

/** A change of a possibly outdated object: if it fails or changes nothing, it is decided by the latest state. */
async function changeOrRefresh(attempt: Attempt): Promise<Written | { current: StoredObject | undefined }> {
  const { write, key, stored } = attempt;
  const storage = await write.registry.storage(write.request.definition);
  const newest = async (): Promise<StoredObject | undefined> => newestStored(storage, key);
  let outcome: Awaited<ReturnType<typeof changeOnce>>;
  try {
    outcome = await changeOnce(attempt);
  } catch (error) {
    // The outcome of a write is unknown: a retry could apply it twice, or conflict with itself.
    if (attempt.isSent) throw error;
    const current = await newest();
    if (current?.revision === stored.revision) throw error;
    return { current };
  }
  if (!('object' in outcome) || (outcome.object !== stored && !write.dryRun)) return outcome;
  const current = await newest();
  return current?.revision === stored.revision ? outcome : { current };
}

interface Attempt {
  readonly write: Write;
  readonly update: Update;
  readonly key: string;
  readonly stored: StoredObject;
  /** Whether the store has been called. */
  isSent: boolean;
}

/** One attempt, which ends with its reservations. */
async function changeOnce(attempt: Attempt): Promise<Written | { current: StoredObject | undefined }> {
  let isStored = false;
  try {
    const outcome = await change(attempt);
    isStored = 'object' in outcome && !outcome.removed && outcome.object !== attempt.stored;
    return outcome;
  } finally {
    await attempt.write.endAttempt(isStored);
  }
}

async function change(attempt: Attempt): Promise<Written | { current: StoredObject | undefined }> {
  const { write, update, key, stored } = attempt;
  const { registry } = write;
  const { definition } = write.request;
  await prepareStored(definition, [stored]);
  write.slicesFor(stored);
  const reading = carriedOut(registry.decoded.reading(definition, stored), write.turn);
  const current = isLater(reading) ? await reading : reading;
  write.leftovers.begin(registry.decoded.leftoversOf(stored.bytes));
  const changing = update.change(current, stored);
  const change = isLater(changing) ? await changing : changing;
  if (change === 'nothing') return { object: stored, removed: false };
  if (change === 'remove') return remove(attempt, undefined);
  const changesNothing = change.next === current;
  // An unchanged object may be stored in another version than new objects; comparing bytes shows that.
  const mayBeOld = definition.storedForm !== undefined || write.leftovers.areOther;
  if (changesNothing && !mayBeOld && !(await isStale(registry, key, stored))) return { object: stored, removed: false };
  return await storeChange(
    attempt,
    changesNothing ? await copiedObject(definition, current, write.turn) : change.next,
    current,
  );
}

async function storeChange(
  attempt: Attempt,
  next: ApiObject,
  current: ApiObject,
): Promise<Written | { current: StoredObject | undefined }> {
  const { write, key, stored } = attempt;
  const { registry, request, turn } = write;
  const { definition } = request;
  if (attempt.update.keepFinished !== true && isFinished(definition, next)) return remove(attempt, next);
  await write.pause();
  const isFilledIn = definition.strategy.defaultsOnRead?.(next, write.strategyContext()) === true;
  const isComplete = !isFilledIn && !write.leftovers.areOther && !registry.decoded.isFilledIn(stored.bytes);
  const copied = isComplete ? encodeBesideSpec(definition, next, { object: current, bytes: stored.bytes }) : undefined;
  const encoding = copied ?? encodeForStore(definition, next, turn);
  const bytes = isLater(encoding) ? await encoding : encoding;
  await write.pause();
  // What only reading fills in is not stored.
  const isSame = !isFilledIn && bytes.equals(stored.bytes) && !write.leftovers.areOther;
  if (isSame && !(await isStale(registry, key, stored))) return { object: stored, removed: false };
  if (write.dryRun) return { object: { bytes, revision: stored.revision }, removed: false };
  const call = { registry, definition, operation: 'update', life: request.life } as const;
  const { written: leftovers } = write.leftovers;
  const put = { key, object: next, bytes, expected: stored.revision, isFilledIn, leftovers, turn };
  attempt.isSent = true;
  const { result, bytes: writtenBytes } = await putFitting(call, put, write.options.isApply);
  request.phases?.spent('store');
  if (!result.written) return { current: currentOf(result) };
  registry.decoded.forget(stored.bytes);
  next.metadata.resourceVersion = String(result.revision);
  return { object: { bytes: writtenBytes, revision: result.revision }, removed: false };
}

/** Whether a write without a change is stored anyway, because the stored form would change. */
function isStale({ store, decoded }: Registry, key: string, { bytes }: StoredObject): Promise<boolean> | boolean {
  return decoded.isFilledIn(bytes) || (store.isStale?.(key, bytes) ?? false);
}

/**
 * A deletion returns the version of the removal; an update that removes the last finalizer returns its own last state
 * and the version that had.
 */
async function remove(
  attempt: Attempt,
  last: ApiObject | undefined,
): Promise<Written | { current: StoredObject | undefined }> {
  const { write, key, stored } = attempt;
  const { registry, request } = write;
  const { definition } = request;
  const bytes = last === undefined ? stored.bytes : await encodeForStore(definition, last, write.turn);
  if (write.dryRun) return { object: { bytes, revision: stored.revision }, removed: true };
  const operation = { registry, definition, operation: 'delete', life: request.life } as const;
  attempt.isSent = true;
  const result = await counted(operation, () => registry.storeOf(definition).delete(key, stored.revision));
  request.phases?.spent('store');
  if (!result.written) return { current: currentOf(result) };
  await registry.allocations.release(definition, () => registry.decoded.of(definition, stored));
  return { object: { bytes, revision: last === undefined ? result.revision : stored.revision }, removed: true };
}

/** An object marked for deletion without finalizers. */
export function isFinished(definition: ResourceDefinition, object: ApiObject): boolean {
  const { metadata } = object;
  if (metadata.deletionTimestamp === undefined || (metadata.finalizers?.length ?? 0) > 0) return false;
  if ((metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  return definition.strategy.deletion?.marking?.isHeld?.(object) !== true;
}

function currentOf(result: WriteResult & { written: false }): StoredObject | undefined {
  return result.current === undefined ? undefined : { bytes: result.current.value, revision: result.current.revision };
}

interface StoreCall {
  readonly registry: Registry;
  readonly definition: ResourceDefinition;
  readonly operation: StoreOperation;
  readonly life: RequestLife | undefined;
}

interface Put {
  readonly key: string;
  readonly object: ApiObject;
  /** The stored form of the object. */
  readonly bytes: Buffer;
  readonly expected: Expected;
  readonly isFilledIn: boolean;
  readonly leftovers: readonly string[];
  readonly turn: Turn | undefined;
}

/**
 * Stores an object. One that is too large is stored without its managed fields, as in Kubernetes, which removes them
 * from `object`.
 * @param keepsManagers for an apply, which fails instead
 */
async function putFitting(
  call: StoreCall,
  put: Put,
  keepsManagers: boolean,
): Promise<{ readonly result: WriteResult; readonly bytes: Buffer }> {
  const { object } = put;
  const bytes = call.registry.storeOf(call.definition).placed?.(put.bytes) ?? put.bytes;
  try {
    return { result: await putObject(call, { ...put, bytes }), bytes };
  } catch (error) {
    if (!(error instanceof StoreTooLargeError)) throw error;
    if (keepsManagers || object.metadata.managedFields === undefined) throw errors.unexplained(error.message);
    object.metadata.managedFields = undefined;
    const smaller = await encodeForStore(call.definition, object, put.turn);
    return await putFitting(call, { ...put, bytes: smaller }, keepsManagers);
  }
}

/** @throws StoreTooLargeError as well as ApiErrors */
async function putObject(call: StoreCall, put: Put): Promise<WriteResult> {
  const { registry, definition } = call;
  const { key, object, bytes, expected } = put;
  const { decoded } = registry;
  const store = registry.storeOf(definition);
  if (store.limitsRequests !== true) assertFits({ definition, key, object, bytes, isNew: expected === 'absent' });
  const keeping = carriedOut(decoded.keeping(definition, bytes, object), put.turn);
  if (isLater(keeping)) await keeping;
  if (put.isFilledIn) decoded.noteFilledIn(bytes);
  decoded.noteLeftovers(bytes, put.leftovers);
  const result = await counted(call, () => store.put(key, bytes, expected));
  if (!result.written) decoded.forget(bytes);
  return result;
}

/**
 * Records a write, and translates its failures for clients.
 * @throws StoreTooLargeError
 * @throws ApiError 504, before anything is written, if the client no longer waits
 */
async function counted(call: StoreCall, write: () => Promise<WriteResult>): Promise<WriteResult> {
  if (call.life?.isAbandoned === true) throw errors.abandoned();
  const { clock, series } = call.registry;
  const startMs = clock.now();
  try {
    const result = await write();
    series?.called(call.definition, call.operation, (clock.now() - startMs) / 1000);
    return result;
  } catch (error) {
    if (error instanceof StoreBusyError) throw errors.tooManyRequests('too many writes are waiting for the disk', 1);
    if (error instanceof ApiError || error instanceof StoreTooLargeError) throw error;
    if (error instanceof StoreTimeoutError) throw storeTimeout();
    if (error instanceof TransformError) throw errors.internal(error.message, error);
    if (error instanceof StoreError && error.message.startsWith('etcdserver: '))
      throw errors.unexplained(error.message);
    throw errors.internal('the store rejected the write', error);
  }
}
