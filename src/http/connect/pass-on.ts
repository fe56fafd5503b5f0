// Forwarding of a request, unchanged, to another server of the API: an aggregated one, or a peer on the same store.

import { hostAndPort } from '../../base/host-port.ts';
import type { BackendLocation } from '../../verbs/connect-location.ts';
import type { RequestContext } from '../request-context.ts';
import { type Forwarding, forward, goPath, wantsUpgrade } from './forward.ts';

/**
 * Forwards a request with its path and query. From then on the other server counts the cost of a watch.
 *
 * @param place the address of the other server
 * @param forwarding the identity of the user as sent to the other server, and what else differs by server
 * @throws `unreachable`
 */
export async function passOn(
  context: RequestContext,
  place: Pick<BackendLocation, 'host' | 'port' | 'tls'>,
  forwarding: Omit<Forwarding, 'location' | 'upgradeRequired' | 'mountedAt' | 'trace'>,
): Promise<void> {
  const { exchange, info, services } = context;
  const upgrades = wantsUpgrade(exchange);
  if (upgrades) context.becomeLongRunning();
  if (upgrades || info.verb === 'watch') context.releaseSeat();
  const [path = '', ...query] = exchange.target.split('?');
  await forward(context, {
    ...forwarding,
    location: {
      ...place,
      scheme: 'https',
      path: goPath(path),
      query: sortedQuery(query.join('?')),
      kubelet: false,
      globalOnly: false,
    },
    upgradeRequired: false,
    mountedAt: undefined,
    trace: services.traceCall?.({
      ...{ method: exchange.method, url: `https://${hostAndPort(place)}${exchange.target}` },
      userAgent: exchange.headers['user-agent'] ?? '',
    }),
  });
}

/** A query as Go encodes it: sorted by parameter name, without parameters that cannot be parsed. @internal */
export function sortedQuery(query: string): string {
  const readable = query.split('&').filter((pair) => !pair.includes(';') && !/%(?![0-9A-Fa-f]{2})/.test(pair));
  const parameters = new URLSearchParams(readable.join('&'));
  parameters.sort();
  return parameters.toString().replaceAll('*', '%2A').replaceAll('%7E', '~');
}
