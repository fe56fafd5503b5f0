// Proxy for API versions that another server serves: forwards requests unchanged, with the identity of the user. The
// request has been authorized before; the other server may authorize it again.

import type { RemoteApiService } from '../../aggregator/api-service-index.ts';
import { identityHeaders } from '../../aggregator/identity-headers.ts';
import { limits } from '../../base/limits.ts';
import type { BackendLocation } from '../../verbs/connect-location.ts';
import { respondText } from '../documents/health.ts';
import { countUnavailable } from '../filters/request-counts.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServiceRoutes } from './api-service-routes.ts';
import { forward, goPath, wantsUpgrade } from './forward.ts';

/** The plain-text response for a server that could not be reached. */
class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/** Responds in place of the other server if it has no address. */
export async function proxyToApiService(
  context: RequestContext,
  apiService: RemoteApiService,
  routes: ApiServiceRoutes,
): Promise<void> {
  if (!apiService.available) return respondUnavailable(context);
  let place: Awaited<ReturnType<ApiServiceRoutes['locate']>>;
  try {
    place = await routes.locate(apiService);
  } catch (error) {
    context.services.log.error('an API service has no place', { apiService: apiService.name, error });
    return respondUnavailable(context);
  }
  await pass(context, apiService, place);
}

function respondUnavailable(context: RequestContext): void {
  countUnavailable(context, 503);
  respondText(context, 503, 'service unavailable\n');
}

async function pass(
  context: RequestContext,
  apiService: RemoteApiService,
  place: Pick<BackendLocation, 'host' | 'port' | 'tls'>,
): Promise<void> {
  const { exchange, info, services } = context;
  const upgrades = wantsUpgrade(exchange);
  if (upgrades) context.becomeLongRunning();
  // From now on the other server counts the cost of the watch.
  if (upgrades || info.verb === 'watch') context.releaseSeat();
  const [path = '', ...query] = exchange.target.split('?');
  const deadline = new AbortController();
  const timer = isDiscovery(context, apiService)
    ? services.clock.after(limits.apiServiceDiscoveryMs, () => deadline.abort())
    : undefined;
  try {
    await forward(context, {
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
        ...{ method: exchange.method, url: `https://${place.host}:${place.port}${exchange.target}` },
        userAgent: exchange.headers['user-agent'] ?? '',
      }),
      identity: identityHeaders(context.user, services.writes.registry.gateEnabled('RemoteRequestHeaderUID')),
      deadline: deadline.signal,
      refusesRedirects: services.settings.rejectsRedirects,
      unreachable: (why) => new UnreachableError(upgrades ? why : `error trying to reach service: ${why}`),
    });
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    respondText(context, 503, `${error.message}\n`);
  } finally {
    timer?.cancel();
  }
}

/** Whether the request is for the aggregated discovery document. */
function isDiscovery({ info }: RequestContext, { group, version }: RemoteApiService): boolean {
  return info.path === (group === '' ? `/api/${version}` : `/apis/${group}/${version}`);
}

/** A query as Go encodes it: sorted by parameter name, without parameters that cannot be parsed. */
export function sortedQuery(query: string): string {
  const readable = query.split('&').filter((pair) => !pair.includes(';') && !/%(?![0-9A-Fa-f]{2})/.test(pair));
  const parameters = new URLSearchParams(readable.join('&'));
  parameters.sort();
  return parameters.toString().replaceAll('*', '%2A').replaceAll('%7E', '~');
}
