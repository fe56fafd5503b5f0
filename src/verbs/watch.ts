// The verb watch: translates a request's parameters to a watch of the watch cache and its duration. Encoding, bookmarks
// and the end of the watch belong to whoever owns the connection.

import { type ApiError, errors, watchTooOld } from '../api/errors.ts';
import type { FieldSelector } from '../api/field-selector.ts';
import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import {
  type CachedObject,
  type CacheEvent,
  type EventType,
  ExpiredError,
  type WatchCache,
  type Watcher,
  type WatchSink,
} from '../watchcache/types.ts';
import { changeOf } from '../watchcache/watcher.ts';
import { caughtUp } from './caught-up.ts';
import { type ListOptions, listOptions, validateListOptions, validateWatchOptions } from './list-options.ts';
import type { Registry } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import { awaitRevision, objectRevision, wantsNewest } from './resource-version.ts';
import { parseSelectors, type RequestSelection, selectionOf } from './selection.ts';
import { ofShard, requestedShard } from './shards.ts';

export interface WatchPlan {
  readonly cache: WatchCache;
  readonly store: Store;
  readonly selection: RequestSelection;
  readonly from: number | 'state';
  /** The version that must be reached before initial events are sent; 0 for none. */
  readonly notOlderThan: number;
  /** Whether kube-apiserver would wait for its cache to reach that version. */
  readonly cached: boolean;
  readonly bookmarks: boolean;
  /** Whether a bookmark marks the end of the initial events. */
  readonly marksInitialEnd: boolean;
  readonly timeoutMs: number;
  /** Set if the shared store did not respond in time; reported in the stream. */
  readonly fault?: ApiError | undefined;
}

interface WatchDefaults {
  /** A watch without a timeout ends after this time at least, and after twice this time at most. */
  readonly minRequestTimeoutMs: number;
}

/** @throws ApiError 400, 422 and 500 for invalid parameters; expired versions are reported in the stream */
export async function planWatch(
  registry: Registry,
  request: ResourceRequest,
  defaults: WatchDefaults,
): Promise<WatchPlan> {
  const watchList = registry.gateEnabled('WatchList');
  const { options, selection } = checkWatch(registry, request);
  const revision = objectRevision(options.resourceVersion);
  const { cache, store } = await registry.storage(request.definition);
  const { minRequestTimeoutMs } = defaults;
  const { timeoutSeconds = 0 } = options;
  // A negative time has passed already.
  const timeoutMs =
    timeoutSeconds !== 0
      ? Math.max(0, timeoutSeconds * 1000)
      : minRequestTimeoutMs + registry.random.below(Math.max(1, minRequestTimeoutMs));
  const cached = registry.isCached(request.definition);
  const newest = wantsNewest(options.resourceVersion, cached);
  const catchingUp = newest ? caughtUp(store) : undefined;
  const fault = catchingUp === undefined ? undefined : await lateFault(catchingUp, registry.clock, timeoutMs);
  const fromState = options.sendInitialEvents === true || (options.sendInitialEvents === undefined && revision === 0);
  return {
    cache,
    store,
    selection,
    from: fromState ? 'state' : revision === 0 ? cache.revision : revision,
    notOlderThan: fromState ? revision : 0,
    cached,
    bookmarks: options.allowWatchBookmarks,
    marksInitialEnd: watchList && fromState && options.allowWatchBookmarks,
    timeoutMs,
    fault,
  };
}

/** Validates the parameters that come before the negotiation of the response format. @throws ApiError 400 and 422 */
export function checkWatchOptions(
  registry: Registry,
  request: ResourceRequest,
): { readonly options: ListOptions; readonly selectors: ReturnType<typeof parseSelectors> } {
  const options = listOptions(request);
  const selectors = parseSelectors(request.query);
  // A watch by a deprecated path without the parameter is validated as a list.
  if (options.watch) validateWatchOptions(options, registry.gateEnabled('WatchList'));
  else validateListOptions(options);
  return { options, selectors };
}

/** The parameters of a watch. @throws ApiError 400 and 422 */
export function checkWatch(
  registry: Registry,
  request: ResourceRequest,
): { readonly options: ListOptions; readonly selection: RequestSelection } {
  const { options, selectors } = checkWatchOptions(registry, request);
  const selection = selectionOf(request, selectors);
  if (request.name !== '') checkPinnedName(request.name, selectors.fields);
  return { options, selection: ofShard(selection, requestedShard(registry, request)) };
}

/** A deprecated watch path with a name; a field selector must select the same name. @throws ApiError 400 */
function checkPinnedName(name: string, fields: FieldSelector | undefined): void {
  if (fields === undefined || fields.requirements.length === 0) return;
  const pinned = fields.requirements.find(({ field, negated }) => field === 'metadata.name' && !negated);
  if (pinned?.value === name) return;
  throw errors.badRequest("fieldSelector metadata.name doesn't match requested name");
}

/** The error of a watch whose cache does not catch up within the watch's timeout, or fails to; else undefined. */
function lateFault(catchingUp: Promise<void>, clock: Clock, timeoutMs: number): Promise<ApiError | undefined> {
  return new Promise((resolve) => {
    const fail = () => resolve(errors.deadlineExceeded());
    const timer = clock.after(timeoutMs, fail);
    catchingUp.then(() => resolve(undefined), fail).finally(() => timer.cancel());
  });
}

/**
 * Starts the events of a plan. If its selection has candidates, the sink receives events of all of them and uses
 * `selectedChange` to filter.
 * @throws ApiError 410 for an expired version, 504 for one that is not reached, or the plan's fault; all belong in the
 *   stream
 */
export async function startWatch(plan: WatchPlan, sink: WatchSink): Promise<Watcher> {
  const { cache, store, from, notOlderThan, cached, fault } = plan;
  if (fault !== undefined) throw fault;
  const selection = plan.selection.candidates ?? plan.selection;
  await awaitRevision({ cache, store }, notOlderThan, { cached, retries: true });
  try {
    return cache.watch({ selection, from, sink });
  } catch (error) {
    throw error instanceof ExpiredError ? tooOld(Number(from), cache) : error;
  }
}

/** The event for the watch and the object to send, once its objects are prepared; undefined for none. */
export function selectedChange(
  { selection }: WatchPlan,
  event: CacheEvent,
): { type: EventType; object: CachedObject } | undefined {
  const type = changeOf(selection, event);
  return type && { type, object: (type === 'DELETED' ? event.previous : event.current) as CachedObject };
}

/** The version at which a watch starts or had arrived is no longer in the history. */
export function tooOld(revision: number, cache: WatchCache): ApiError {
  return errors.expired(watchTooOld(revision, cache.revision));
}

export type {
  CachedObject,
  CacheEvent,
  EventType,
  Selection,
  WatchCache,
  Watcher,
  WatchSink,
} from '../watchcache/types.ts';
