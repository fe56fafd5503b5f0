// A resource that a controller watches, and the cache of its objects.

import type { ResourceDefinition } from '../resources/definition.ts';
import type { WatchCache } from '../verbs/watch.ts';
import type { ControllerContext } from './controller.ts';

export interface Followed {
  readonly definition: ResourceDefinition;
  readonly cache: WatchCache;
}

/** Opens the cache of a resource; resolves to undefined if it is not served. Rejects if the store fails. */
export async function followed(
  { catalog, writes }: ControllerContext,
  group: string,
  resource: string,
): Promise<Followed | undefined> {
  const definition = catalog.find(group, resource);
  return definition && { definition, cache: (await writes.registry.storage(definition)).cache };
}
