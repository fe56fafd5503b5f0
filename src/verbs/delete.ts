// The verb delete, in two phases: an object with finalizers or a grace period is marked with a deletionTimestamp and
// removed when the last of them is done; any other object is removed immediately.

import { errors } from '../api/errors.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import type { Turn } from '../base/short-turns.ts';
import { isLater } from '../base/soon.ts';
import { carriedOut } from '../base/steps.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition, StrategyContext } from '../resources/definition.ts';
import { decodeObject } from '../schema/decode.ts';
import { copiedObject } from './computed.ts';
import type { DeleteOptions } from './delete-options.ts';
import { storageKey } from './registry.ts';
import type { ResourceRequest, StoredObject } from './resource-request.ts';
import { unmetAfterFinalizers } from './store-preconditions.ts';
import { encodeStored } from './stored-form.ts';
import { assertReadable } from './unreadable.ts';
import { Write, type WriteContext } from './write.ts';
import { type Change, isFinished, updateStored } from './write-object.ts';
import { NO_WRITE_OPTIONS } from './write-options.ts';

interface Deleted {
  /** The object before removal, or as marked. */
  readonly object: StoredObject;
  /** Its UID. */
  readonly uid: string | undefined;
  /** False while finalizers or a grace period remain. */
  readonly removed: boolean;
  /** The object is returned although it has been removed. */
  readonly isShown?: true;
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** @throws ApiError 404 if the object does not exist, 409 if a precondition fails */
export async function deleteObject(
  context: WriteContext,
  request: ResourceRequest,
  options: DeleteOptions,
): Promise<Deleted> {
  const { dryRun } = options;
  const write = new Write(context, request, { ...NO_WRITE_OPTIONS, dryRun });
  const { registry } = write;
  const { definition } = request;
  warnOfDefault(request, options);
  const storage = registry.storage(definition);
  const key = storageKey(definition, request.namespace, request.name);
  assertReadable(registry, isLater(storage) ? await storage : storage, key);
  const { deletion = {} } = definition.strategy;
  const graceful = deletion.gracePeriod !== undefined;
  let lostFinalizers = false;
  let uid: string | undefined;
  let period: GracePeriod = { kind: 'none', seconds: undefined };
  const marked = await updateStored(write, {
    keepFinished: graceful || deletion.marking !== undefined,
    change: async (previous) => {
      checkPreconditions(request, previous, options.preconditions);
      ({ uid } = previous.metadata);
      lostFinalizers = (previous.metadata.finalizers?.length ?? 0) > 0;
      period = gracePeriodOf({ request, previous, options });
      // Already admitted: only a shorter grace period is another deletion.
      if (period.kind === 'pending') return 'nothing';
      await admitDeletion(write, { options, previous, period });
      const { collectsGarbage } = registry;
      const change = await markDeleted({
        ...{ request, previous, options, collectsGarbage },
        rules: write.strategyContext(),
        turn: write.turn,
      });
      const namesVersion = options.preconditions?.resourceVersion !== undefined;
      if (change === 'remove' && lostFinalizers && namesVersion && !dryRun)
        throw unmetAfterFinalizers(request, previous);
      return change;
    },
  });
  if (marked.removed && dryRun && lostFinalizers)
    return { object: emptyOf(definition), uid, removed: true, isShown: true };
  if (marked.removed || !graceful) return { ...marked, uid };
  const reading = carriedOut(registry.decoded.reading(definition, marked.object), write.turn);
  if (!isFinished(definition, isLater(reading) ? await reading : reading)) return { ...marked, uid };
  if (dryRun) return { ...marked, uid, removed: true, isShown: true };
  const removed = await updateStored(write, {
    // The kubelet of the pod sees the mark and may remove it first.
    gone: period.kind === 'marks' ? { ...marked, removed: true } : undefined,
    change: async (current) => {
      if (!isFinished(definition, current)) return 'nothing';
      // The removal is admitted like the mark.
      if (period.kind === 'marks') await admitDeletion(write, { options, previous: current, period });
      return 'remove';
    },
  });
  return { ...removed, uid };
}

interface Asked {
  readonly options: DeleteOptions;
  readonly previous: ApiObject;
  readonly period: GracePeriod;
}

/** Thrown for an object of a collection that stays because one in front of it could not be deleted. */
export class Spared extends Error {}

/** @throws ApiError of admission; Spared */
async function admitDeletion(write: Write, { options, previous, period }: Asked): Promise<void> {
  const { admission, request, dryRun } = write;
  const { inCollection } = options;
  if (inCollection !== undefined && !(await inCollection.isNext)) throw new Spared();
  await admission.admitWhole({
    request: inCollection === undefined ? request : { ...request, name: '' },
    operation: 'delete',
    object: undefined,
    previous,
    dryRun,
    options: optionsObject({ ...options, gracePeriodSeconds: period.seconds }),
  });
  inCollection?.pass();
}

/** The grace period of a deletion, and whether it marks the object, waits for an earlier deletion, or neither. */
interface GracePeriod {
  readonly kind: 'marks' | 'pending' | 'none';
  readonly seconds: number | undefined;
}

function gracePeriodOf({ request, previous, options }: Pick<Mark, 'request' | 'previous' | 'options'>): GracePeriod {
  const { gracePeriod } = request.definition.strategy.deletion ?? {};
  const asked = positive(options.gracePeriodSeconds);
  if (gracePeriod === undefined) return { kind: 'none', seconds: asked };
  const { deletionTimestamp, deletionGracePeriodSeconds: left = 0 } = previous.metadata;
  if (deletionTimestamp === undefined) return { kind: 'marks', seconds: gracePeriod(previous, asked) };
  if (left === 0) return { kind: 'none', seconds: asked };
  return { kind: asked === undefined || asked >= left ? 'pending' : 'marks', seconds: asked };
}

/** The object that Kubernetes returns for a dry-run removal of the last finalizers: an empty one of its kind. */
function emptyOf(definition: ResourceDefinition): StoredObject {
  const { value } = decodeObject(definition.storage.schema, { metadata: {} });
  return { bytes: encodeStored(definition, value as ApiObject), revision: 0 };
}

/** The options as an object, for admission. */
function optionsObject({ dryRun, gracePeriodSeconds, preconditions, propagationPolicy }: DeleteOptions): JsonObject {
  return {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions !== undefined && { preconditions: { ...preconditions } }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(dryRun && { dryRun: ['All'] }),
  };
}

/** Some kinds orphan dependents by default, which is surprising. */
export function warnOfDefault({ definition, warnings }: ResourceRequest, { propagationPolicy }: DeleteOptions): void {
  const { propagationWarning: warning } = definition.strategy.deletion ?? {};
  if (warning !== undefined && propagationPolicy === undefined) warnings.push(warning);
}

/** @throws ApiError 409 with the kind, as in Kubernetes */
export function checkPreconditions(
  request: ResourceRequest,
  object: ApiObject,
  wanted: DeleteOptions['preconditions'],
): void {
  if (wanted === undefined) return;
  const { strategy, storage } = request.definition;
  // With its stored type: events of the newer group are reported as core events.
  const { group, kind } = storage;
  const { uid, resourceVersion } = object.metadata;
  if (strategy.deletion?.marking !== undefined) {
    checkShortly(request, object, wanted);
    return;
  }
  if (wanted.uid !== undefined && wanted.uid !== uid) {
    throw errors.conflict(
      { group, resource: kind, name: request.name },
      `the UID in the precondition (${wanted.uid}) does not match the UID in record (${uid}). ` +
        'The object might have been deleted and then recreated',
    );
  }
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== resourceVersion) {
    throw errors.conflict(
      { group, resource: kind, name: request.name },
      `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in ` +
        `record (${resourceVersion}). The object might have been modified`,
    );
  }
}

/** The first minor release of Kubernetes 1 whose errors about preconditions of definitions are in lower case. */
const LOWER_CASE = 37;

function checkShortly(
  { definition: { group, resource, minor }, name }: ResourceRequest,
  { metadata }: ApiObject,
  wanted: NonNullable<DeleteOptions['preconditions']>,
): void {
  const pairs = [
    { member: 'UID', expected: wanted.uid, actual: metadata.uid },
    { member: 'ResourceVersion', expected: wanted.resourceVersion, actual: metadata.resourceVersion },
  ];
  const isLower = group === 'apiextensions.k8s.io' && isSince({ minor }, LOWER_CASE);
  for (const { member, expected, actual } of pairs) {
    if (expected === undefined || expected === actual) continue;
    throw errors.conflict(
      { group, resource, name },
      `${isLower ? 'p' : 'P'}recondition failed: ${member} in precondition: ${expected}, ${member} in object meta: ${actual}`,
    );
  }
}

/** The last moment that a timestamp can represent: a grace period may be longer. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

interface Mark {
  readonly request: ResourceRequest;
  readonly previous: ApiObject;
  readonly options: DeleteOptions;
  /** Whether a garbage collector removes the finalizers of propagation policies. */
  readonly collectsGarbage: boolean;
  readonly rules: StrategyContext;
  readonly turn: Turn | undefined;
}

/** The effect of a deletion on the object: marked, removed, or unchanged if it was marked before. */
async function markDeleted(mark: Mark): Promise<Change> {
  const { request, previous } = mark;
  const { gracePeriod, marking } = request.definition.strategy.deletion ?? {};
  const before = previous.metadata.deletionTimestamp;
  const isFirst = before === undefined;
  if (!isFirst && marking?.isHeld?.(previous) === true) return 'nothing';
  const finalizers = finalizersFor(mark);
  const held = (finalizers?.length ?? 0) > 0;
  const isTimed = gracePeriod !== undefined && (isFirst || (previous.metadata.deletionGracePeriodSeconds ?? 0) > 0);
  const atOnce = !isTimed && !(isFirst && marking !== undefined);
  if (!held && atOnce) return 'remove';
  const copying = copiedObject(request.definition, previous, mark.turn);
  const next = isLater(copying) ? await copying : copying;
  next.metadata.finalizers = finalizers && [...finalizers];
  if (before !== undefined) return shortenGrace(mark, next);
  const grace = gracePeriod?.(previous, positive(mark.options.gracePeriodSeconds));
  const { metadata } = next;
  metadata.deletionTimestamp = timestamp(Math.min(mark.rules.nowMs + (grace ?? 0) * 1000, LAST_TIME_MS));
  if (marking === undefined) {
    metadata.deletionGracePeriodSeconds = grace ?? 0;
    if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
  }
  marking?.mark(next, mark.rules);
  return { next };
}

/** A negative grace period is one second, as in Kubernetes. */
function positive(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds < 0 ? 1 : seconds;
}

/** Another deletion may shorten the remaining time, never extend it. */
function shortenGrace({ request, previous, options, rules }: Mark, next: ApiObject): Change {
  const { deletionTimestamp = '', deletionGracePeriodSeconds: left = 0 } = previous.metadata;
  const wanted = positive(options.gracePeriodSeconds);
  // A first deletion that only marks the object (of a definition) says nothing of its period.
  if (request.definition.strategy.deletion?.gracePeriod === undefined) next.metadata.deletionGracePeriodSeconds ??= 0;
  if (wanted !== undefined && wanted < left) {
    const end = Date.parse(deletionTimestamp) - (left - wanted) * 1000;
    next.metadata.deletionTimestamp = timestamp(Math.max(end, rules.nowMs));
    // A grace period that has expired becomes the shortest one.
    next.metadata.deletionGracePeriodSeconds = end < rules.nowMs && wanted !== 0 ? 1 : wanted;
  }
  return { next };
}

/** The finalizers by which a propagation policy requests garbage collection. */
function finalizersFor({ request, previous, options, collectsGarbage }: Mark): string[] | undefined {
  const { finalizers = [] } = previous.metadata;
  const { propagation, marking } = request.definition.strategy.deletion ?? {};
  if (!collectsGarbage) return previous.metadata.finalizers;
  let asked = options.propagationPolicy;
  if (marking !== undefined && previous.metadata.deletionTimestamp === undefined) {
    // With the deprecated option, an object that is marked first is removed after its dependents.
    if (options.cascadeAsked === true) asked = 'Foreground';
    if (marking.heedsPolicy !== true || asked === undefined) return previous.metadata.finalizers;
  }
  const others = finalizers.filter((each) => each !== ORPHAN && each !== FOREGROUND);
  const policy = propagation === 'Unsupported' ? propagation : (asked ?? keptPolicy(finalizers) ?? propagation);
  const wanted = policy === 'Orphan' ? [...others, ORPHAN] : policy === 'Foreground' ? [...others, FOREGROUND] : others;
  // Existing finalizers keep their order.
  const names = new Set(wanted);
  const same = names.size === new Set(finalizers).size && finalizers.every((each) => names.has(each));
  if (same) return previous.metadata.finalizers;
  return wanted.length === 0 ? undefined : wanted;
}

/** Finalizers of a policy remain unless another policy is requested. */
function keptPolicy(finalizers: readonly string[]) {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : undefined;
}
