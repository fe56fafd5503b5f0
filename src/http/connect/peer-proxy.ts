// Proxy for resources that another server on the same store serves and this one does not, because it is of another
// release or has other APIs enabled. A request is forwarded once: a peer answers it in any case.

import { identityHeaders } from '../../aggregator/identity-headers.ts';
import { errors } from '../../api/errors.ts';
import { respondText } from '../documents/health.ts';
import type { RequestContext } from '../request-context.ts';
import { passOn } from './pass-on.ts';
import type { PeerRoutes } from './peer-routes.ts';

/** Marks a request that has been forwarded. */
export const PEER_PROXIED = 'x-kubernetes-peer-proxied';

/** The plain-text response for a peer that could not be reached. */
class PeerError extends Error {
  override name = 'PeerError';
}

/**
 * Forwards a request for a resource that is not served here.
 * @returns false if no peer serves it either, or if a peer forwarded it
 * @throws ApiError 503 if no such peer has an address
 */
export async function passToPeer(context: RequestContext, peers: PeerRoutes): Promise<boolean> {
  const { exchange, info, services } = context;
  if (exchange.headers[PEER_PROXIED] === 'true') return false;
  const ids = await peers.serving(info);
  if (ids.length === 0) return false;
  const places = (await Promise.all(ids.map((id) => peers.locate(id)))).filter((place) => place !== undefined);
  const place = places[services.random.below(Math.max(1, places.length))];
  if (place === undefined) {
    services.metrics.aggregator.peerUnlocated(info);
    throw errors.serviceUnavailable('Error getting ip and port info of the remote server while proxying');
  }
  try {
    await passOn(context, place, {
      backends: peers.backends,
      identity: { ...identityHeaders(context.user, true), [PEER_PROXIED]: 'true' },
      unreachable: (why) => new PeerError(why),
    });
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    services.log.error('a request could not be forwarded to a peer', { path: info.path, error });
    respondText(context, 503, `${error.message}\n`);
  } finally {
    services.metrics.aggregator.rerouted(info, context.status);
  }
  return true;
}
