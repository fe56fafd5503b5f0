// The resources that other servers on the same store serve. A peer of another release, or with other APIs enabled, may
// serve resources that this server does not know. Its discovery documents are fetched when such a resource or the merged
// discovery document is first requested, once per process of the peer.

import type { Json, JsonObject } from '../api/object.ts';
import type { User } from '../auth/user.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import { listAt, textAt } from '../resources/value.ts';
import { answeredObject, type ReadingTurns } from './answered-object.ts';
import type { ApiServiceAnswer } from './ask.ts';
import type { ServerGroups } from './merged-discovery.ts';

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
/** The same without what only other peers serve; older servers do not know the parameter. */
export const NOPEER_DISCOVERY = `${PEER_DISCOVERY};profile=nopeer,${PEER_DISCOVERY}`;
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

/** What peers serve besides the core group. */
export interface PeerGroups {
  /** Tells apart states of what is known. */
  readonly generation: number;
  readonly servers: readonly ServerGroups[];
}

/** The discovery document of a peer. */
interface Found {
  readonly served: ReadonlySet<string>;
  /** The groups besides the core group, in its order. */
  readonly groups: readonly JsonObject[];
}

/** What is known of a peer. */
interface Known {
  readonly holder: string;
  /** Empty if the last fetch failed. */
  found: Promise<Found>;
  /** When it is fetched again; never if that succeeded. */
  againMs: number;
}

export class PeerServers {
  readonly #needs: PeerServersNeeds;
  readonly #known = new Map<string, Known>();
  #generation = 0;

  constructor(needs: PeerServersNeeds) {
    this.#needs = needs;
  }

  /** The IDs of the peers that serve a resource. */
  async serving(resource: PeerResource): Promise<string[]> {
    const key = keyOf(resource);
    const all = await this.#all();
    return all.flatMap(({ id, served }) => (served.has(key) ? [id] : []));
  }

  /**
   * What all peers serve besides the core group.
   *
   * @param isShared whether a group version is that of a definition or another API server, which all know: peers are not
   *   asked again when these change, so that they are left out from then on
   */
  async groups(isShared: (group: string, version: string) => boolean): Promise<PeerGroups> {
    const servers = (await this.#all()).map(({ id, served, groups }) => {
      const apart = groupsApart(groups, isShared);
      const known = this.#known.get(id);
      if (apart !== groups && known !== undefined) {
        known.found = Promise.resolve({ served, groups: apart });
        this.#generation++;
      }
      return { id, groups: apart };
    });
    return { generation: this.#generation, servers: servers.filter(({ groups }) => groups.length > 0) };
  }

  async #all(): Promise<({ id: string } & Found)[]> {
    const peers = (await this.#needs.peers()).slice(0, limits.peerServers);
    for (const id of this.#known.keys()) {
      if (peers.some((peer) => peer.id === id)) continue;
      this.#known.delete(id);
      this.#generation++;
    }
    return await Promise.all(peers.map(async (peer) => ({ id: peer.id, ...(await this.#foundIn(peer)) })));
  }

  #foundIn(peer: Peer): Promise<Found> {
    const { clock, log } = this.#needs;
    const known = this.#known.get(peer.id);
    if (known?.holder === peer.holder && clock.now() < known.againMs) return known.found;
    const next: Known = {
      holder: peer.holder,
      againMs: Number.POSITIVE_INFINITY,
      found: this.#fetch(peer.id).catch((error: unknown) => {
        log.warn('a peer did not tell what it serves', { peer: peer.id, error });
        next.againMs = clock.now() + limits.peerRetryMs;
        return NOTHING;
      }),
    };
    this.#known.set(peer.id, next);
    this.#generation++;
    return next.found;
  }

  async #fetch(id: string): Promise<Found> {
    const { ask, turns } = this.#needs;
    const served = new Set<string>();
    const groups: JsonObject[] = [];
    for (const path of DOCUMENTS) {
      const { status, body, url } = await ask(id, path);
      if (status !== 200) throw new Error(`bad status from ${url}: ${status}`);
      for (const group of listAt(await answeredObject(body, turns), 'items')) {
        addServed(served, group);
        const name = textAt(group, 'metadata', 'name');
        if (name !== '') groups.push({ metadata: { name }, versions: listAt(group, 'versions') });
      }
    }
    return { served, groups };
  }
}

const NOTHING: Found = { served: new Set(), groups: [] };

/** Groups without the versions that all servers know; the same list if there are none. */
function groupsApart(
  groups: readonly JsonObject[],
  isShared: (group: string, version: string) => boolean,
): readonly JsonObject[] {
  const isApart = (group: Json) => (version: Json) =>
    !isShared(textAt(group, 'metadata', 'name'), textAt(version, 'version'));
  if (groups.every((group) => listAt(group, 'versions').every(isApart(group)))) return groups;
  return groups
    .map((group) => ({ ...group, versions: listAt(group, 'versions').filter(isApart(group)) }))
    .filter(({ versions }) => versions.length > 0);
}

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
