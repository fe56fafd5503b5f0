// Interface for finding other servers on the same store.

import type { PeerResource } from '../../aggregator/peer-servers.ts';
import type { BackendLocation } from '../../verbs/connect-location.ts';
import type { Backends } from './backends.ts';

/** Access to the other servers on the same store; supplied by the composition root. */
export interface PeerRoutes {
  /** The IDs of the servers that serve a resource. */
  serving(resource: PeerResource): Promise<readonly string[]>;
  /** The address of a server, and how to verify it; undefined if it has none. */
  locate(id: string): Promise<Pick<BackendLocation, 'host' | 'port' | 'tls'> | undefined>;
  readonly backends: Backends;
}
