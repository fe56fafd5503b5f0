// The resources that other servers on the same store serve. A peer of another release, or with other APIs enabled, may
// serve resources that this server does not know. Its discovery documents are fetched when such a resource is first
// requested, once per process of the peer.

import type { Json } from '../api/object.ts';
import type { User } from '../auth/user.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import { listAt, textAt } from '../resources/value.ts';
import { answeredObject, type ReadingTurns } from './answered-object.ts';
import type { ApiServiceAnswer } from './ask.ts';

/** Another server on the same store. */
export interface Peer {
  /** The name of its identity Lease. */
  readonly id: string;
  /** Unique to its process, which may serve other resources than the one before. */
  readonly holder: string;
}

/** A resource in a version. */
export interface PeerResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The user of requests for discovery documents. */
export const API_SERVER: User = Object.freeze({
  name: 'system:apiserver',
  uid: 'system:apiserver',
  groups: Object.freeze(['system:authenticated']),
  extra: Object.freeze({}),
});

export const PEER_DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const DOCUMENTS = ['/api', '/apis'];

interface PeerServersNeeds {
  /** The peers, without this server. */
  readonly peers: () => Promise<readonly Peer[]>;
  /** Fetches a document from a peer. Rejects if it does not respond. */
  readonly ask: (id: string, path: string) => Promise<ApiServiceAnswer>;
  readonly clock: Clock;
  readonly log: Log;
  readonly turns: ReadingTurns;
}

/** What is known of a peer. */
interface Known {
  readonly holder: string;
  /** Empty if the last fetch failed. */
  readonly served: Promise<ReadonlySet<string>>;
  /** When it is fetched again; never if that succeeded. */
  againMs: number;
}

export class PeerServers {
  readonly #needs: PeerServersNeeds;
  readonly #known = new Map<string, Known>();

  constructor(needs: PeerServersNeeds) {
    this.#needs = needs;
  }

  /** The IDs of the peers that serve a resource. */
  async serving(resource: PeerResource): Promise<string[]> {
    const peers = (await this.#needs.peers()).slice(0, limits.peerServers);
    for (const id of this.#known.keys()) if (!peers.some((peer) => peer.id === id)) this.#known.delete(id);
    const key = keyOf(resource);
    const found = await Promise.all(
      peers.map(async (peer) => ((await this.#servedBy(peer)).has(key) ? [peer.id] : [])),
    );
    return found.flat();
  }

  #servedBy(peer: Peer): Promise<ReadonlySet<string>> {
    const { clock, log } = this.#needs;
    const known = this.#known.get(peer.id);
    if (known?.holder === peer.holder && clock.now() < known.againMs) return known.served;
    const next: Known = {
      holder: peer.holder,
      againMs: Number.POSITIVE_INFINITY,
      served: this.#fetch(peer.id).catch((error: unknown) => {
        log.warn('a peer did not tell what it serves', { peer: peer.id, error });
        next.againMs = clock.now() + limits.peerRetryMs;
        return NOTHING;
      }),
    };
    this.#known.set(peer.id, next);
    return next.served;
  }

  async #fetch(id: string): Promise<ReadonlySet<string>> {
    const { ask, turns } = this.#needs;
    const served = new Set<string>();
    for (const path of DOCUMENTS) {
      const { status, body, url } = await ask(id, path);
      if (status !== 200) throw new Error(`bad status from ${url}: ${status}`);
      for (const group of listAt(await answeredObject(body, turns), 'items')) addServed(served, group);
    }
    return served;
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function addServed(served: Set<string>, group: Json): void {
  for (const version of listAt(group, 'versions')) {
    for (const resource of listAt(version, 'resources')) {
      served.add(
        keyOf({
          group: textAt(group, 'metadata', 'name'),
          version: textAt(version, 'version'),
          resource: textAt(resource, 'resource'),
        }),
      );
    }
  }
}

function keyOf({ group, version, resource }: PeerResource): string {
  return `${group}/${version}/${resource}`;
}
