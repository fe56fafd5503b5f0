// Interface for finding other servers on the same store.

import type { PeerGroups, PeerResource } from '../../aggregator/peer-servers.ts';
import type { BackendLocation } from '../../verbs/connect-location.ts';
import type { Backends } from './backends.ts';

/** Access to the other servers on the same store; supplied by the composition root. */
export interface PeerRoutes {
  /** The IDs of the servers that serve a resource. */
  serving(resource: PeerResource): Promise<readonly string[]>;
  /** The address of a server, and how to verify it; undefined if it has none. */
  locate(id: string): Promise<Pick<BackendLocation, 'host' | 'port' | 'tls'> | undefined>;
  readonly backends: Backends;
  /** What they serve, for discovery documents; undefined if these are not merged. */
  readonly discovery: PeerDiscovery | undefined;
}

/** Access to the discovery documents of the other servers. */
export interface PeerDiscovery {
  /** This server's name among them. */
  readonly own: string;
  /** @param isShared whether a group version is that of a definition or another API server, which all know */
  read(isShared: (group: string, version: string) => boolean): Promise<PeerGroups>;
}
