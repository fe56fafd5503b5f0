// The verb list: a collection at a version, complete or in pages. Which version, and whether it must match exactly,
// follows the table of resource version semantics in the Kubernetes API concepts. Every list is read from a snapshot of
// the watch cache, so all pages of one list show one state.

import { decodeContinueToken, encodeContinueToken } from '../api/continue-token.ts';
import { errors, LIST_TOO_OLD, TOKEN_TOO_OLD } from '../api/errors.ts';
import type { Turn } from '../base/short-turns.ts';
import { isLater } from '../base/soon.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { CachedObject, Selection, Snapshot } from '../watchcache/types.ts';
import { isCaughtUp } from './caught-up.ts';
import { prepareStored } from './converted-storage.ts';
import { type ListOptions, listOptions, validateListOptions, validateWatchOptions } from './list-options.ts';
import { type Registry, type ResourceStorage, storageKey } from './registry.ts';
import type { ListAnswer, ResourceRequest } from './resource-request.ts';
import { awaitRevision, listRevision, objectRevision, wantsNewest } from './resource-version.ts';
import { parseSelectors, type RequestSelection, selectionOf } from './selection.ts';
import { ofShard, requestedShard } from './shards.ts';
import { assertAllReadable } from './unreadable.ts';

/** The revision in a token that continues at the latest state. */
const NEWEST = -1;

type ListPage = ListAnswer & { readonly type: 'list'; readonly last: string | undefined };

interface Page {
  readonly snapshot: Snapshot;
  /** Objects from this key on, inclusive; undefined for all. */
  readonly start: string | undefined;
  readonly limit: number;
  /** Whether the store was read, because its events are late. */
  readonly isFallback?: boolean;
}

/** @throws ApiError 400 and 422 for invalid parameters of deletecollection, which may be those of a watch */
export function checkListParameters(registry: Registry, request: ResourceRequest): void {
  if (request.query.empty) return;
  const options = listOptions(request);
  const selectors = parseSelectors(request.query);
  if (options.watch) validateWatchOptions(options, registry.gateEnabled('WatchList'));
  else validateListOptions(options);
  selectionOf(request, selectors);
}

/** @throws ApiError 400 and 422 for invalid list parameters, regardless of the kind's selectable fields */
export function checkListOptions(request: ResourceRequest): void {
  const options = listOptions(request);
  parseSelectors(request.query);
  validateListOptions(options);
}

interface Parameters {
  readonly options: ListOptions;
  readonly selection: RequestSelection;
  /** Whether the request has a selector. */
  readonly selective: boolean;
  /** The shard that the request asks for, as the answer repeats it. */
  readonly shard: string | undefined;
}

function readParameters(registry: Registry, request: ResourceRequest): Parameters {
  const options = listOptions(request);
  const selectors = parseSelectors(request.query);
  validateListOptions(options);
  const { labels, fields } = selectors;
  const selection = selectionOf(request, selectors);
  const shard = requestedShard(registry, request);
  const selective =
    labels?.empty === false || (fields !== undefined && fields.requirements.length > 0) || shard !== undefined;
  return { options, selection: ofShard(selection, shard), selective, shard: shard?.text };
}

/**
 * A list by name reads a single key only for a known namespace and without a continue token. In all other lists the name is
 * a filter, as in kube-apiserver: this decides whether a page has a continue token.
 */
function inPages(selection: RequestSelection, isPlace: boolean): RequestSelection {
  const { name, candidates } = selection;
  if (name === undefined || isPlace) return selection;
  return { ...filteredByName(selection, name), ...(candidates && { candidates: filteredByName(candidates, name) }) };
}

function filteredByName({ namespace, matches }: Selection, name: string): Selection {
  const isMatch: Selection['matches'] = (object) => object.name === name && (matches === undefined || matches(object));
  return { namespace, name: undefined, matches: isMatch };
}

/** Parameters that another verb sets for its list. */
type ListPart = Partial<Pick<ListOptions, 'limit' | 'continueToken' | 'resourceVersion' | 'resourceVersionMatch'>>;

/** @throws ApiError 400 and 422 for invalid parameters, 410 for an expired version, 504 for a future one */
export async function listObjects(
  registry: Registry,
  request: ResourceRequest,
  part: ListPart = {},
): Promise<ListAnswer & { type: 'list' }> {
  const { options: given, selection: selected, selective, shard } = readParameters(registry, request);
  const options = { ...given, ...part };
  const isPlace = request.definition.namespaced === (selected.namespace !== undefined);
  const selection = inPages(selected, isPlace && (options.limit === 0 || options.continueToken === ''));
  const storage = await registry.storage(request.definition);
  const { clock, series } = registry;
  const startMs = clock.now();
  const prefix = collectionPrefix(request.definition, selection.namespace ?? '');
  const isSingle = isPlace && selection.name !== undefined;
  const cached = registry.isCached(request.definition);
  const { minor } = request.definition;
  const page = await choosePage({ storage, options, cached, prefix, isSingle, minor });
  series?.waited(request.definition, (clock.now() - startMs) / 1000);
  const isConsistent = options.resourceVersion === '' && options.continueToken === '';
  series?.listed(request.definition, { isConsistent, isFallback: page.isFallback ?? false });
  const { candidates } = selection;
  if (candidates !== undefined) await prepareStored(request.definition, page.snapshot.objects(candidates));
  const turn = registry.turns.begin({ taskName: `a page of ${request.definition.resource}` });
  const { last, ...answer } = await readPage({ page, selection, prefix, selective, turn });
  const { definition } = request;
  const { namespace, name } = selection;
  assertAllReadable(registry, storage, {
    ...{ definition, prefix: `${prefix}/`, start: page.start, last },
    key: isPlace && name !== undefined ? storageKey(definition, namespace ?? '', name) : undefined,
    anyState: options.resourceVersion === '0' && cached,
  });
  return { ...answer, shard };
}

/** The prefix of keys that continue tokens omit. */
function collectionPrefix(definition: ResourceDefinition, namespace: string): string {
  return namespace === '' ? definition.storagePrefix : `${definition.storagePrefix}/${namespace}`;
}

interface PageChoice {
  readonly storage: ResourceStorage;
  readonly options: ListOptions;
  /** Whether kube-apiserver would read from its watch cache. */
  readonly cached: boolean;
  /** The part of the keys that continue tokens omit. */
  readonly prefix: string;
  /** Whether it is the list of one object by its name. */
  readonly isSingle: boolean;
  readonly minor: number;
}

/** The first minor release of Kubernetes 1 whose watch cache says that a version is invalid, and does not just fail. */
const VERSIONS_ARE_TOLD = 34;

/** The first minor release of Kubernetes 1 whose error says how far ahead of the store an exact version is. */
const FUTURE_IS_TOLD = 34;

async function choosePage(from: PageChoice): Promise<Page> {
  const { storage, options, cached } = from;
  const { cache } = storage;
  if (options.continueToken !== '') return continuedPage(from);
  const exact = options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && options.limit > 0);
  const isOfCache = cached && !exact && !isSince(from, VERSIONS_ARE_TOLD);
  const revision = isOfCache ? objectRevision(options.resourceVersion) : listRevision(options.resourceVersion);
  if (revision === 0) {
    const newest = wantsNewest(options.resourceVersion, cached)
      ? await newestState(from)
      : { snapshot: cache.snapshot() };
    return { ...newest, start: undefined, limit: pageLimit(from) };
  }
  // etcd itself answers a list of an exact version before 1.34. A single object is read from it in all releases.
  const isOfStore = exact && (from.isSingle || !isSince(from, FUTURE_IS_TOLD));
  const isTold = isSince(from, FUTURE_IS_TOLD) || !exact || from.isSingle;
  await awaitRevision(storage, revision, { cached: cached && !isOfStore, isTold });
  if (!exact) return { snapshot: cache.snapshot(), start: undefined, limit: options.limit };
  const snapshot = cache.snapshotAt(revision);
  if (snapshot === undefined) throw errors.expired(LIST_TOO_OLD);
  return { snapshot, start: undefined, limit: options.limit };
}

/**
 * Version 0 means any state: kube-apiserver returns such a list completely from its cache, even with a continue token,
 * except for what it does not cache.
 */
function pageLimit({ options, cached }: Pick<PageChoice, 'options' | 'cached'>): number {
  return options.resourceVersion === '0' && cached ? 0 : options.limit;
}

/** The state with every earlier write: of the cache, or of the store if its events are late. */
async function newestState({ storage, prefix }: PageChoice): Promise<Pick<Page, 'snapshot' | 'isFallback'>> {
  const { cache, store, stored } = storage;
  const caughtUp = isCaughtUp(store);
  const isCurrent = isLater(caughtUp) ? await caughtUp : caughtUp;
  if (isCurrent) return { snapshot: cache.snapshot() };
  return { snapshot: await stored.snapshot(`${prefix}/`), isFallback: true };
}

async function continuedPage(from: PageChoice): Promise<Page> {
  const { storage, options, cached, prefix } = from;
  const { cache } = storage;
  const { resourceVersion } = options;
  const limit = pageLimit({ options, cached });
  const token = decodeContinueToken(options.continueToken);
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw errors.badRequest('specifying resource version is not allowed when using continue');
  }
  const start = prefix + token.start;
  if (token.revision < 0) {
    return { ...(await newestState(from)), start, limit };
  }
  await awaitRevision(storage, token.revision, { cached });
  const snapshot = cache.snapshotAt(token.revision);
  if (snapshot !== undefined) return { snapshot, start, limit };
  throw errors.expired(TOKEN_TOO_OLD, { continue: encodeContinueToken({ revision: NEWEST, start: token.start }) });
}

interface PageReading {
  readonly page: Page;
  readonly selection: Selection;
  readonly prefix: string;
  readonly selective: boolean;
  readonly turn: Turn;
}

/** `last` is the key of the last examined object, if others follow it. */
async function readPage(from: PageReading): Promise<ListPage> {
  const { page, selection, prefix, selective, turn } = from;
  const { snapshot, start, limit } = page;
  const whole = { type: 'list', revision: snapshot.revision, continueToken: '', remaining: undefined } as const;
  if (limit === 0 && selection.matches === undefined) {
    return { ...whole, objects: objectsFrom(snapshot, selection, start), last: undefined };
  }
  const { objects, last } = await takeMatching({ snapshot, selection, start, limit: limit || Infinity, turn });
  if (last === undefined) return { ...whole, objects, last };
  return {
    ...whole,
    objects,
    continueToken: encodeContinueToken({ revision: snapshot.revision, start: `${last.key.slice(prefix.length)}\0` }),
    remaining: selective ? undefined : snapshot.count({ ...selection, matches: undefined }, last.key),
    last: last.key,
  };
}

interface Taking {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly start: string | undefined;
  readonly limit: number;
  readonly turn: Turn;
}

/**
 * The first `limit` matching objects; `last` is the last examined object, if others follow it. In turns, because a
 * selection may match nothing among many objects.
 */
async function takeMatching({ snapshot, selection, start, limit, turn }: Taking) {
  const objects: CachedObject[] = [];
  const cost = Math.max(1, selection.cost ?? 1);
  let seen: CachedObject | undefined;
  let compared = 0;
  for (const candidates of snapshot.candidates(selection, start)) {
    for (let from = 0; from < candidates.length; ) {
      if (objects.length >= limit) return { objects, last: seen };
      const to = Math.min(candidates.length, from + Math.max(1, Math.floor(COMPARED_AT_ONCE / cost)));
      const next = addMatching(objects, { candidates, from, to, limit, matches: selection.matches });
      seen = candidates[next - 1];
      compared += (next - from) * cost;
      from = next;
      if (compared < COMPARED_AT_ONCE) continue;
      compared = 0;
      await turn.over();
    }
  }
  return { objects, last: undefined };
}

/** Requirements of selectors, each compared with one object, between two looks at the clock. */
const COMPARED_AT_ONCE = 500;

interface Part {
  readonly candidates: readonly CachedObject[];
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly matches: Selection['matches'];
}

/** Adds matching objects until there are `limit` of them. @returns the index of the first one that was not examined */
function addMatching(objects: CachedObject[], { candidates, from, to, limit, matches }: Part): number {
  for (let at = from; at < to; at++) {
    if (objects.length >= limit) return at;
    const object = candidates[at]!;
    if (matches === undefined || matches(object)) objects.push(object);
  }
  return to;
}

function* objectsFrom(snapshot: Snapshot, selection: Selection, start: string | undefined): Iterable<CachedObject> {
  if (start === undefined) {
    yield* snapshot.objects(selection);
    return;
  }
  for (const objects of snapshot.candidates(selection, start)) yield* objects;
}
