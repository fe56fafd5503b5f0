// The verb watch: from a request's parameters to what the watch cache is asked for and how long. What follows (events
// to bytes, bookmarks, the end) is the business of whoever holds the connection.

import { type ApiError, errors, watchTooOld } from '../api/errors.ts';
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
import { listOptions, validateListOptions, validateWatchOptions } from './list-options.ts';
import type { Registry } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import { awaitRevision, objectRevision } from './resource-version.ts';
import { parseSelectors, type RequestSelection, selectionOf } from './selection.ts';

export interface WatchPlan {
  readonly cache: WatchCache;
  readonly store: Store;
  readonly selection: RequestSelection;
  readonly from: number | 'state';
  /** The first version to be known before the initial events are sent; 0 for none. */
  readonly notOlderThan: number;
  readonly bookmarks: boolean;
  /** Whether a bookmark says where the initial events end. */
  readonly marksInitialEnd: boolean;
  readonly timeoutMs: number;
}

interface WatchDefaults {
  /** A watch without a timeout of its own ends after this long at the least, and after twice this at the most. */
  readonly minRequestTimeoutMs: number;
}

/** @throws ApiError 400, 422 and 500 for faults in the parameters; versions that are gone are told in the stream */
export async function planWatch(
  registry: Registry,
  request: ResourceRequest,
  defaults: WatchDefaults,
): Promise<WatchPlan> {
  const options = listOptions(request);
  const selectors = parseSelectors(request.query);
  const watchList = registry.gateEnabled('WatchList');
  // What an old path alone makes a watch is judged as a list.
  if (options.watch) validateWatchOptions(options, watchList);
  else validateListOptions(options);
  const selection = selectionOf(request, selectors);
  const revision = objectRevision(options.resourceVersion);
  const { cache, store } = await registry.storage(request.definition);
  const catchingUp = options.resourceVersion === '' ? caughtUp(store) : undefined;
  if (catchingUp !== undefined) await catchingUp;
  const fromState = options.sendInitialEvents === true || (options.sendInitialEvents === undefined && revision === 0);
  const { minRequestTimeoutMs } = defaults;
  return {
    cache,
    store,
    selection,
    from: fromState ? 'state' : revision === 0 ? cache.revision : revision,
    notOlderThan: fromState ? revision : 0,
    bookmarks: options.allowWatchBookmarks,
    marksInitialEnd: watchList && fromState && options.allowWatchBookmarks,
    timeoutMs:
      options.timeoutSeconds !== undefined && options.timeoutSeconds > 0
        ? options.timeoutSeconds * 1000
        : minRequestTimeoutMs + registry.random.below(Math.max(1, minRequestTimeoutMs)),
  };
}

/**
 * Starts the events of a plan. Where its selection has candidates, the sink gets what happens to all of these, and asks
 * `selectedChange` what it is to the watch.
 * @throws ApiError 410 for a version that is gone, 504 for one that does not come; both belong in the stream
 */
export async function startWatch(plan: WatchPlan, sink: WatchSink): Promise<Watcher> {
  const { cache, store, from, notOlderThan } = plan;
  const selection = plan.selection.candidates ?? plan.selection;
  await awaitRevision({ cache, store }, notOlderThan);
  try {
    return cache.watch({ selection, from, sink });
  } catch (error) {
    throw error instanceof ExpiredError ? tooOld(Number(from), cache) : error;
  }
}

/** What an event is to a watch, and what to show of it, once its objects are ready; undefined when it is nothing. */
export function selectedChange(
  { selection }: WatchPlan,
  event: CacheEvent,
): { type: EventType; object: CachedObject } | undefined {
  const type = changeOf(selection, event);
  return type && { type, object: (type === 'DELETED' ? event.previous : event.current) as CachedObject };
}

/** The version a watch starts from, or had come to, is no longer kept. */
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
