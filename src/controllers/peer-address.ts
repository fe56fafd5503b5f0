// The address of a server for the other servers on the same store, which forward requests that they cannot serve. An
// entry in kube-apiserver's format, so servers of both kinds find each other.

import type { Json } from '../api/object.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { listAt, numberAt, textAt } from '../resources/value.ts';
import type { Registry } from '../verbs/registry.ts';
import { KeptEntry } from './kept-entry.ts';

export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

const FOLDER = '/registry/peerserverleases/';
const IDENTITY = 'apiserverIdentity';

interface PeerAddressNeeds {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps this server's address alive. @param id the name of its identity Lease */
export function publishPeerAddress(needs: PeerAddressNeeds, id: string, { host, port }: PeerAddress): KeptEntry {
  const subset = { addresses: [{ ip: host }], ports: [{ name: 'https', port, protocol: 'TCP' }] };
  const content = { labels: { [IDENTITY]: id }, subsets: [subset] };
  return new KeptEntry({ ...needs, key: FOLDER + id, content });
}

/** The address of a server; undefined if it is not running. */
export async function peerAddress({ store }: Pick<Registry, 'store'>, id: string): Promise<PeerAddress | undefined> {
  const entry = await store.get(FOLDER + id);
  if (entry === undefined || entry.unreadable !== undefined) return undefined;
  const [subset] = listAt(JSON.parse(entry.value.toString()) as Json, 'subsets');
  const host = textAt(listAt(subset, 'addresses')[0], 'ip');
  const port = numberAt(listAt(subset, 'ports')[0], 'port');
  return host === '' || port === 0 ? undefined : { host, port };
}
