// Dispatch of authorized requests to their handlers. Resources are looked up in the catalog; the few other paths are
// distinguished here.

import type { RemoteApiService } from '../aggregator/api-service-index.ts';
import { errors } from '../api/errors.ts';
import { lookup } from '../base/lookup.ts';
import { withoutTrailing } from '../base/without-trailing.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from '../flowcontrol/dump.ts';
import type { FlowController } from '../flowcontrol/flow-controller.ts';
import type { proxyToApiService } from './connect/api-service-proxy.ts';
import type { passToPeer } from './connect/peer-proxy.ts';
import type { PeerRoutes } from './connect/peer-routes.ts';
import { debugPaths, respondDebugPage } from './documents/debug-pages.ts';
import { DiscoveryHandler } from './documents/discovery-handler.ts';
import { respondHealth, respondPageNotFound } from './documents/health.ts';
import { respondMetrics } from './documents/metrics-page.ts';
import { OpenApiHandler } from './documents/openapi-handler.ts';
import { OPENID_PATHS, respondOpenId } from './documents/openid-handler.ts';
import { respondProfilePage } from './documents/profile-pages.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestInfo } from './request-info.ts';
import type { RequestServices } from './request-services.ts';
import { ResourceHandler } from './resource-handler.ts';
import { JSON_FORMAT } from './response/format.ts';
import { indentedJson } from './response/negotiate.ts';
import { respondValue } from './response/value-response.ts';

export class Dispatcher {
  readonly #resources: ResourceHandler;
  readonly #discovery: DiscoveryHandler;
  readonly #openapi: OpenApiHandler;
  /** Loaded at the first request for another server. */
  #proxyTo: typeof proxyToApiService | undefined;
  #passTo: typeof passToPeer | undefined;

  constructor(services: RequestServices) {
    this.#resources = new ResourceHandler(services.draining);
    this.#discovery = new DiscoveryHandler(services);
    this.#openapi = new OpenApiHandler(services);
  }

  async dispatch(context: RequestContext): Promise<void> {
    const { info } = context;
    // Authorization treats such a path as that of a resource, but nothing is served there.
    if (info.path.startsWith('//')) return respondPageNotFound(context);
    const { apiServices } = context.services;
    if (apiServices.hasRemote) {
      const { group, version } = info.isResource ? info : versionOfPath(info);
      const remote = apiServices.remote(group, version);
      if (remote !== undefined) return this.#proxy(context, remote);
    }
    if (info.isResource) {
      const { peers } = context.services;
      if (peers !== undefined && (await this.#passToPeer(context, peers))) return;
      context.services.storageVersions?.check(info, context.user);
      if (!(await this.#resources.handle(context))) respondPageNotFound(context);
      return;
    }
    if (await this.#answerPath(context, info.path)) return;
    respondPageNotFound(context);
  }

  async #proxy(context: RequestContext, remote: RemoteApiService): Promise<void> {
    this.#proxyTo ??= (await import('./connect/api-service-proxy.ts')).proxyToApiService;
    await this.#proxyTo(context, remote, context.services.apiServiceRoutes);
  }

  /** @returns false if this server serves the resource, or none does */
  async #passToPeer(context: RequestContext, peers: PeerRoutes): Promise<boolean> {
    const { info, services } = context;
    if (services.catalog.lookup(info.group, info.version, info.resource) !== undefined) return false;
    this.#passTo ??= (await import('./connect/peer-proxy.ts')).passToPeer;
    return await this.#passTo(context, peers);
  }

  /** Non-resource paths. @returns false if nothing is served there */
  async #answerPath(context: RequestContext, path: string): Promise<boolean> {
    const { services } = context;
    // These routes ignore all trailing slashes.
    const bare = withoutTrailing(path, '/');
    if (bare === '/version') {
      onlyGet(context);
      await respondValue(context, { value: services.version, format: indentedJson(context), isPlain: true });
      return true;
    }
    if (path.startsWith('/version/')) throw errors.noSuchPath();
    if (await respondMetrics(context, path)) return true;
    if (path === '/' || path === '/index.html') {
      await respondValue(context, {
        value: { paths: this.#paths(services) },
        format: { ...JSON_FORMAT, pretty: true },
        isPlain: true,
      });
      return true;
    }
    if (await respondHealth(context, path)) return true;
    if (respondFlowDump(context, path)) return true;
    if (await respondDebugPage(context, path, () => this.#paths(services))) return true;
    if (await respondProfilePage(context, path)) return true;
    if (respondOpenId(context, bare)) return true;
    if (await this.#openapi.respond(context, path)) return true;
    return this.#discovery.respond(context, path);
  }

  #paths(services: RequestServices): string[] {
    const paths = [
      '/metrics',
      '/metrics/slis',
      '/openapi/v2',
      '/openapi/v3',
      '/openapi/v3/',
      '/version',
      ...OPENID_PATHS,
      ...debugPaths({ services }),
    ];
    return [...paths, ...this.#discovery.paths(), ...services.health.paths()].sort();
  }
}

/** The group version in the path of a non-resource request; '' for both if there is none. */
function versionOfPath({ prefix, parts }: RequestInfo): { group: string; version: string } {
  const [, first = '', second = ''] = parts;
  if (prefix === 'api') return { group: '', version: first };
  return prefix === 'apis' ? { group: first, version: second } : { group: '', version: '' };
}

const FLOW_DUMPS = '/debug/api_priority_and_fairness/';
const DUMPS: Readonly<Record<string, ((controller: FlowController, withDetails: boolean) => string) | undefined>> =
  lookup({
    dump_priority_levels: dumpPriorityLevels,
    dump_queues: dumpQueues,
    dump_requests: dumpRequests,
  });

/** @returns false for other paths, and for all if priority and fairness is disabled */
function respondFlowDump(context: RequestContext, path: string): boolean {
  const { flow } = context.services;
  if (flow === undefined || !path.startsWith(FLOW_DUMPS)) return false;
  const dump = DUMPS[path.slice(FLOW_DUMPS.length)];
  if (dump === undefined) return false;
  const withDetails = context.query.text('includeRequestDetails') !== '';
  context.respond(200, context.headers('text/plain; charset=utf-8'), dump(flow.controller, withDetails));
  return true;
}

/** @throws ApiError 405 */
function onlyGet({ exchange }: RequestContext): void {
  if (exchange.method !== 'GET') throw errors.methodNotAllowed();
}
