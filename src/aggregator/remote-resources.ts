// Resources of other API servers, according to their discovery.

import type { Json } from '../api/object.ts';
import { listAt, textAt } from '../resources/value.ts';
import type { ApiServiceIndex, RemoteApiService } from './api-service-index.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';

export interface RemoteResource {
  readonly apiService: RemoteApiService;
  /** As in paths. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

export interface RemoteServers {
  readonly apiServices: ApiServiceIndex;
  readonly remoteDiscovery: RemoteDiscovery;
}

/** Each resource in the version that its server prefers; unavailable servers have none. */
export function remoteResources({ apiServices, remoteDiscovery }: RemoteServers): RemoteResource[] {
  const found = new Map<string, RemoteResource>();
  const byPriority = [...apiServices.remotes()].sort((one, other) => other.versionPriority - one.versionPriority);
  for (const apiService of byPriority) {
    for (const each of remoteDiscovery.get(apiService.name)?.resources ?? []) {
      const resource = remoteResource(apiService, each);
      const name = qualifiedName(resource);
      if (!found.has(name)) found.set(name, resource);
    }
  }
  return [...found.values()];
}

/** The resource of a kind; undefined if no server is known to have it. */
export function remoteResourceOf(
  { apiServices, remoteDiscovery }: RemoteServers,
  { group, version }: { readonly group: string; readonly version: string },
  kind: string,
): RemoteResource | undefined {
  const apiService = apiServices.remote(group, version);
  if (apiService === undefined) return undefined;
  const resources = remoteDiscovery.get(apiService.name)?.resources ?? [];
  const found = resources.find((each) => textAt(each, 'responseKind', 'kind') === kind);
  return found === undefined ? undefined : remoteResource(apiService, found);
}

/** A resource as named in messages: `things.x.io`. */
export function qualifiedName({ resource, apiService }: RemoteResource): string {
  return `${resource}.${apiService.group}`;
}

function remoteResource(apiService: RemoteApiService, described: Json): RemoteResource {
  return {
    apiService,
    resource: textAt(described, 'resource'),
    kind: textAt(described, 'responseKind', 'kind'),
    namespaced: textAt(described, 'scope') === 'Namespaced',
    verbs: listAt(described, 'verbs').map(String),
  };
}
