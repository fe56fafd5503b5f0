// The caches of all resources of a server that keeps its objects in etcd, opened one after the other once it serves, as
// kube-apiserver does: reads that may be old then go on when etcd is away, whoever asked for a resource before.

import type { Log } from '../../base/log.ts';
import type { Catalog } from '../../resources/catalog.ts';
import type { Registry } from '../../verbs/registry.ts';

interface CachesToOpen {
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly log: Log;
  /** When it is aborted, no further cache is opened. */
  readonly draining: AbortSignal;
}

/** Never rejects: a cache that could not be opened is opened by who asks for it first. */
export async function openCaches({ catalog, registry, log, draining }: CachesToOpen): Promise<void> {
  for (const definition of new Set(catalog.definitions)) {
    if (draining.aborted) return;
    if (definition.hashedStorage === '' || registry.isOpen(definition)) continue;
    try {
      await registry.storage(definition);
    } catch (error) {
      if (!draining.aborted)
        log.warn('a cache could not be opened', { resource: definition.resource, error: String(error) });
    }
  }
}
