// Metrics of storage: calls of the store, initializations of caches, and lists, by group and resource. The series of a
// resource are looked up once.

import type { Counter, Histogram } from './metrics.ts';
import type { StorageMetrics, WatchCacheMetrics } from './server-metrics.ts';

export type StoreOperation = 'list' | 'create' | 'update' | 'delete';

interface StoredResource {
  readonly group: string;
  readonly resource: string;
}

interface ResourceSeries {
  readonly lists: Counter;
  /** The lists of the cache beside those of the store, in releases that count them together. */
  readonly listsTogether: Counter | undefined;
  readonly consistentReads: Counter;
  readonly readWait: Histogram;
  readonly calls: Map<StoreOperation, { readonly total: Counter; readonly duration: Histogram }>;
}

export class StorageSeries {
  readonly #storage: StorageMetrics;
  readonly #cache: WatchCacheMetrics;
  readonly #series = new Map<string, ResourceSeries>();

  constructor(storage: StorageMetrics, cache: WatchCacheMetrics) {
    this.#storage = storage;
    this.#cache = cache;
  }

  /** A completed call of the store. */
  called(of: StoredResource, operation: StoreOperation, seconds: number): void {
    const { calls } = this.#of(of);
    let call = calls.get(operation);
    if (call === undefined) {
      const labels = { group: of.group, resource: of.resource, operation };
      const { requests, duration } = this.#storage;
      call = { total: requests.with(labels), duration: duration.with(labels) };
      calls.set(operation, call);
    }
    call.total.add();
    call.duration.observe(seconds);
  }

  /** A cache was initialized with all objects of a resource. */
  filled(of: StoredResource, { objects, seconds }: { readonly objects: number; readonly seconds: number }): void {
    const labels = { group: of.group, resource: of.resource };
    this.called(of, 'list', seconds);
    this.#cache.initializations.with(labels).add();
    this.#cache.initializationDuration.with(labels).observe(seconds);
    const stored = { ...labels, index: '', storage: 'etcd' };
    this.#storage.lists.with(stored).add();
    for (const count of [this.#storage.listsFetched, this.#storage.listsEvaluated, this.#storage.listsReturned])
      count.with(stored).add(objects);
    this.#storage.listDuration.with({ ...labels, streamed: 'false' }).observe(seconds);
  }

  /** A cache could not be initialized. */
  failed({ group, resource }: StoredResource): void {
    this.#cache.initializationErrors.with({ group, resource }).add();
  }

  /**
   * A list. `isConsistent`: it had to include every earlier write. `isFallback`: the store served it, because the cache
   * was late; otherwise the cache did.
   */
  listed(of: StoredResource, { isConsistent, isFallback }: { isConsistent: boolean; isFallback: boolean }): void {
    const { group, resource } = of;
    if (isFallback) {
      if (isConsistent) this.#cache.consistentReads.with({ group, resource, success: 'true', fallback: 'true' }).add();
      return;
    }
    const series = this.#of(of);
    series.lists.add();
    series.listsTogether?.add();
    if (isConsistent) series.consistentReads.add();
  }

  /** A read that waited for a resource version. */
  waited(of: StoredResource, seconds: number): void {
    this.#of(of).readWait.observe(seconds);
  }

  #of({ group, resource }: StoredResource): ResourceSeries {
    const key = `${group}/${resource}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      const labels = { group, resource };
      series = {
        lists: this.#cache.lists.with({ ...labels, index: '' }),
        listsTogether: this.#storage.countsCacheLists
          ? this.#storage.lists.with({ ...labels, index: '', storage: 'watchcache' })
          : undefined,
        consistentReads: this.#cache.consistentReads.with({ ...labels, success: 'true', fallback: 'false' }),
        readWait: this.#cache.readWait.with(labels),
        calls: new Map(),
      };
      this.#series.set(key, series);
    }
    return series;
  }
}
