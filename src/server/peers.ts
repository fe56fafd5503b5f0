// The other servers on the same store as configured by options: found by their identity Leases and the addresses that
// they publish, and verified by --peer-ca-file.

import type { ObjectLookup } from '../admission/object-lookup.ts';
import { API_SERVER, NOPEER_DISCOVERY, PEER_DISCOVERY, PeerServers } from '../aggregator/peer-servers.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { identityLeaseName, isIdentityLease } from '../controllers/identity-lease.ts';
import { peerAddress } from '../controllers/peer-address.ts';
import { PEER_PROXIED } from '../http/connect/peer-proxy.ts';
import type { PeerRoutes } from '../http/connect/peer-routes.ts';
import { isSince } from '../lifecycle/version.ts';
import { type Dial, dial } from '../outbound/dial.ts';
import { textAt } from '../resources/value.ts';
import type { Registry } from '../verbs/registry.ts';
import { askServer, inTime, proxyCertificate, readAnswer } from './ask-server.ts';
import { areCertificates, backendCaller } from './backends.ts';
import { CurrentFiles } from './current-files.ts';
import type { Egress } from './egress.ts';
import { knowsPeers } from './options/peers.ts';
import type { ServerOptions } from './options.ts';

interface PeerNeeds {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly objects: ObjectLookup;
  readonly registry: Registry;
  readonly egress: Pick<Egress, 'selected'>;
  /** The minor release of Kubernetes 1 whose behavior the server has. */
  readonly minor: number;
  /** Of this server. */
  readonly hostname: string;
}

/** kube-apiserver's name among its own. */
const SERVER_NAME = 'kubernetes.default.svc';
/** The first minor release of Kubernetes 1 that merges discovery documents with those of peers. */
const FIRST_MERGED = 35;
const LEASES = { group: 'coordination.k8s.io', resource: 'leases' };

/** Undefined if requests are not forwarded. @throws Error if a file cannot be read */
export function peerRoutes(needs: PeerNeeds): PeerRoutes | undefined {
  const { options, clock, log, objects, registry, hostname } = needs;
  if (options.peerCaFile === undefined || !knowsPeers(options)) return undefined;
  const authority = new CurrentFiles([options.peerCaFile], { clock, isUsable: areCertificates });
  const certificate = proxyCertificate(options, clock);
  const backends = backendCaller(options, { clock, dial: dialOf(needs) });
  const locate = async (id: string) => {
    const address = await peerAddress(registry, id);
    const [ca] = authority.current();
    return address && { ...address, tls: { serverName: SERVER_NAME, ca, verified: true, ...certificate() } };
  };
  const own = identityLeaseName(hostname);
  const merges = isSince(needs, FIRST_MERGED);
  const servers = new PeerServers({
    ...{ clock, log, turns: registry.turns },
    async peers() {
      const leases = await objects.all(LEASES, 'kube-system');
      return leases
        .filter(({ metadata }) => isIdentityLease(metadata) && metadata.name !== own)
        .map((lease) => ({ id: lease.metadata.name ?? '', holder: textAt(lease, 'spec', 'holderIdentity') }))
        .filter(({ holder }) => holder !== '');
    },
    async ask(id, path) {
      const place = await locate(id);
      if (place === undefined) throw new Error('it has no address');
      const headers = { [PEER_PROXIED]: 'true' };
      const question = { path, user: API_SERVER, accept: merges ? NOPEER_DISCOVERY : PEER_DISCOVERY };
      return await inTime(clock, (signal) =>
        askServer(place, question, { backends, tellsUid: true, headers, signal, read: readAnswer }),
      );
    },
  });
  return {
    ...{ locate, backends },
    serving: (resource) => servers.serving(resource),
    discovery: merges ? { own, read: (isShared) => servers.groups(isShared) } : undefined,
  };
}

/** Before 1.36 an egress selector did not apply to peers, which are beside this server. */
function dialOf({ egress, minor }: PeerNeeds): Dial {
  return (isSince({ minor }, 36) ? egress.selected?.controlplane : undefined) ?? dial;
}
