// Proxy for API versions that another server serves: forwards requests unchanged, with the identity of the user. The
// request has been authorized before; the other server may authorize it again.

import type { RemoteApiService } from '../../aggregator/api-service-index.ts';
import { identityHeaders } from '../../aggregator/identity-headers.ts';
import { limits } from '../../base/limits.ts';
import { authoritiesFault } from '../../resources/validation/certificates.ts';
import type { BackendLocation } from '../../verbs/connect-location.ts';
import { respondText } from '../documents/health.ts';
import { countUnavailable } from '../filters/request-counts.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServiceRoutes } from './api-service-routes.ts';
import { wantsUpgrade } from './forward.ts';
import { passOn } from './pass-on.ts';

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
  const { exchange, services } = context;
  const deadline = new AbortController();
  const timer = isDiscovery(context, apiService)
    ? services.clock.after(limits.apiServiceDiscoveryMs, () => deadline.abort())
    : undefined;
  try {
    await passOn(context, place, {
      identity: identityHeaders(context.user, services.writes.registry.gateEnabled('RemoteRequestHeaderUID')),
      deadline: deadline.signal,
      refusesRedirects: services.settings.rejectsRedirects,
      unreachable: (why) =>
        new UnreachableError(wantsUpgrade(exchange) ? why : `error trying to reach service: ${why}`),
    });
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    // A bundle without certificates verifies no server, so that it need not be read before.
    const fault = place.tls?.ca === undefined ? undefined : authoritiesFault(place.tls.ca);
    if (fault === undefined) respondText(context, 503, `${error.message}\n`);
    else respondText(context, 500, `${fault}\n`);
  } finally {
    timer?.cancel();
  }
}

/** Whether the request is for the aggregated discovery document. */
function isDiscovery({ info }: RequestContext, { group, version }: RemoteApiService): boolean {
  return info.path === (group === '' ? `/api/${version}` : `/apis/${group}/${version}`);
}
