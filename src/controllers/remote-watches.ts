// Watches of all watchable and deletable resources of other API servers, according to their discovery. The watches of a
// server that is down remain, and resume when it is back.

import type { RemoteObjects } from '../aggregator/remote-objects.ts';
import {
  qualifiedName,
  type RemoteResource,
  type RemoteServers,
  remoteResources,
} from '../aggregator/remote-resources.ts';
import type { ControllerContext } from './controller.ts';
import { type RemoteFollower, RemoteWatch } from './remote-watch.ts';

interface RemoteWatchesOptions {
  readonly context: Pick<ControllerContext, 'clock' | 'log'>;
  readonly servers: RemoteServers;
  readonly objects: RemoteObjects;
  readonly follower: (resource: RemoteResource) => RemoteFollower;
}

export class RemoteWatches {
  readonly #options: RemoteWatchesOptions;
  readonly #watches = new Map<string, { readonly resource: RemoteResource; readonly watch: RemoteWatch }>();

  constructor(options: RemoteWatchesOptions) {
    this.#options = options;
  }

  /** Starts watches of new resources and ends those of removed ones. */
  see(): void {
    const { context, servers, objects, follower } = this.#options;
    const found = new Map<string, RemoteResource>();
    for (const each of remoteResources(servers)) {
      if (['list', 'watch', 'delete'].every((verb) => each.verbs.includes(verb))) found.set(keyOf(each), each);
    }
    for (const [key, { resource, watch }] of this.#watches) {
      if (found.has(key) || this.#isSilent(resource)) continue;
      watch.close();
      this.#watches.delete(key);
    }
    for (const [key, resource] of found) {
      if (this.#watches.has(key)) continue;
      const watch = new RemoteWatch({ ...context, resource, objects, follower: follower(resource) });
      this.#watches.set(key, { resource, watch });
    }
  }

  /** Whether all objects of a resource have been reported, in whatever version. */
  has(resource: RemoteResource): boolean {
    const name = qualifiedName(resource);
    return [...this.#watches.values()].some((each) => qualifiedName(each.resource) === name && each.watch.isSynced);
  }

  close(): void {
    for (const { watch } of this.#watches.values()) watch.close();
    this.#watches.clear();
  }

  /** Whether there is a server whose resources are unknown. */
  #isSilent({ apiService: { name } }: RemoteResource): boolean {
    const { apiServices, remoteDiscovery } = this.#options.servers;
    return apiServices.remoteNamed(name) !== undefined && remoteDiscovery.get(name)?.isStale !== false;
  }
}

function keyOf(resource: RemoteResource): string {
  return `${resource.apiService.name} ${qualifiedName(resource)}`;
}
