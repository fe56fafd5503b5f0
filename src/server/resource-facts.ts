// Metrics of each resource: number of objects, and size of the watch cache.

import type { ResourceFacts } from '../lifecycle/collected-metrics.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';

/** One entry for each resource whose cache is open. */
export function* resourceFacts(catalog: Catalog, registry: Registry): Iterable<ResourceFacts> {
  const caches = new Map(registry.caches());
  for (const { group, resource, storagePrefix } of catalog.definitions) {
    const cache = caches.get(storagePrefix)?.cache;
    if (cache === undefined) continue;
    const { objects, bytes, historyEvents, receivedEvents } = cache.statistics();
    yield { group, resource, objects, bytes, historyEvents, receivedEvents, revision: cache.revision };
  }
}
