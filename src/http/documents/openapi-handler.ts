// Handler of OpenAPI documents: the index of v3, a v3 document for each group version, and the single v2 document. A
// document requested with its hash can be cached forever.

import type { RemoteApiService } from '../../aggregator/api-service-index.ts';
import { parseAccept } from '../../api/media-type.ts';
import { isSince, keelsonVersion } from '../../lifecycle/version.ts';
import type { ResponseHeaders } from '../exchange/transport.ts';
import { countedPaths } from '../filters/counted-paths.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestServices } from '../request-services.ts';
import { BytePieces } from '../response/byte-pieces.ts';
import { acceptsGzip, wantsGzip } from '../response/gzip.ts';
import { type CachedBytes, OpenApiCache } from './openapi-cache.ts';
import { serveContent } from './serve-content.ts';

const JSON_TYPE = 'application/json';
/** gnostic's message, under its current media type and its original one, which clients still request. */
const PROTOBUF_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const OLD_PROTOBUF_TYPE = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** The same for version 3. */
const PROTOBUF_V3_TYPE = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const OLD_PROTOBUF_V3_TYPE = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';

const V3_PREFIX = '/openapi/v3/';
/** Expires of a document requested with its hash: a year. */
const KEPT_MS = 365 * 24 * 3600 * 1000;

/** The first minor release of Kubernetes 1 whose documents do not contain the patch release. */
const TELLS_MINOR = 31;

/** The version of the API in the documents. */
function apiVersionIn({ version, catalog }: Pick<RequestServices, 'version' | 'catalog'>): string {
  if (isSince(catalog, TELLS_MINOR)) return `1.${version.emulationMinor ?? version.minor}`;
  const [release = ''] = version.gitVersion.split('+');
  return release;
}

export class OpenApiHandler {
  readonly #cache: OpenApiCache;

  constructor(services: RequestServices) {
    this.#cache = new OpenApiCache(services.catalog, {
      turns: services.turns,
      now: () => services.clock.now(),
      cbor: services.settings.cbor,
      fieldSelectors: services.writes.registry.gateEnabled('CustomResourceFieldSelectors'),
      enums: services.writes.registry.gateEnabled('OpenAPIEnums'),
      remote: services.remoteOpenApi,
      descriptions: services.typeDescriptions,
      apiVersion: apiVersionIn(services),
      program: `${services.version.gitVersion} ${keelsonVersion}`,
    });
  }

  /** Responds to an OpenAPI path, for any method. @returns false for other paths */
  async respond(context: RequestContext, path: string): Promise<boolean> {
    if (path === '/openapi/v2') await this.#whole(context);
    else if (path === '/openapi/v3') await this.#index(context);
    else if (path.startsWith(V3_PREFIX)) await this.#groupVersion(context, path.slice(V3_PREFIX.length));
    else return false;
    return true;
  }

  async #index(context: RequestContext): Promise<void> {
    context.countAs(countedPaths.openApiIndex);
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const [key, { hash }] of await this.#cache.documents()) paths[key] = { serverRelativeURL: urlOf(key, hash) };
    for (const { key, url } of context.services.remoteOpenApi.index()) paths[key] ??= { serverRelativeURL: url };
    const headers = context.headers(undefined);
    const bytes = new BytePieces([Buffer.from(JSON.stringify({ paths }))]);
    // Kubernetes sets no Content-Type here, so Go detects one from the content.
    const detectedType = 'text/plain; charset=utf-8';
    const changedMs = await this.#cache.changedMs();
    await serveContent(context, { headers, changedMs, detectedType, bytes: async () => bytes });
  }

  async #groupVersion(context: RequestContext, key: string): Promise<void> {
    const document = (await this.#cache.documents()).get(key);
    const owner = document === undefined ? remoteOwner(context, key) : undefined;
    if (owner !== undefined) return proxyTo(context, owner);
    context.countAs(countedPaths.openApiDocument);
    if (document === undefined) return context.respond(404, context.headers(undefined), undefined);
    const headers: ResponseHeaders = { ...context.headers(undefined), vary: 'Accept' };
    const type = choose(context.exchange.headers.accept, [JSON_TYPE, PROTOBUF_V3_TYPE, OLD_PROTOBUF_V3_TYPE]);
    if (type === undefined) return context.respond(406, headers, undefined);
    headers['content-type'] = type === JSON_TYPE ? JSON_TYPE : PROTOBUF_V3_TYPE;
    headers['etag'] = `"${document.hash}"`;
    const hash = context.query.text('hash');
    if (hash !== '' && hash !== document.hash) {
      headers['location'] = urlOf(key, document.hash);
      return context.respond(301, headers, undefined);
    }
    if (hash !== '') {
      headers['cache-control'] = 'public, immutable';
      headers['expires'] = new Date(context.services.clock.now() + KEPT_MS).toUTCString();
    }
    const bytes = type === JSON_TYPE ? document.json : document.protobuf;
    const isPacked = wantsGzip(context);
    await respondBytes(context, headers, { bytes, changedMs: document.changedMs, isPacked });
  }

  async #whole(context: RequestContext): Promise<void> {
    const headers: ResponseHeaders = { ...context.headers(undefined), vary: ['Accept-Encoding', 'Accept'] };
    const type = choose(context.exchange.headers.accept, [JSON_TYPE, OLD_PROTOBUF_TYPE, PROTOBUF_TYPE]);
    if (type === undefined) return context.respond(406, headers, undefined);
    const whole = await this.#cache.whole();
    headers['content-type'] = type === JSON_TYPE ? JSON_TYPE : PROTOBUF_TYPE;
    headers['etag'] = `"${whole.hash}"`;
    const bytes = type === JSON_TYPE ? whole.json : whole.protobuf;
    const isPacked = acceptsGzip(context);
    await respondBytes(context, headers, { bytes, changedMs: whole.changedMs, isPacked });
  }
}

/** The server that serves this document. */
function remoteOwner({ services }: RequestContext, key: string): RemoteApiService | undefined {
  for (const { name, key: own } of services.remoteOpenApi.index()) {
    if (own === key) return services.apiServices.remotes().find((each) => each.name === name);
  }
  return undefined;
}

async function proxyTo(context: RequestContext, owner: RemoteApiService): Promise<void> {
  const { proxyToApiService } = await import('../connect/api-service-proxy.ts');
  await proxyToApiService(context, owner, context.services.apiServiceRoutes);
}

function urlOf(key: string, hash: string): string {
  return `${V3_PREFIX}${key}?hash=${hash}`;
}

/** The most preferred media type of the client, ignoring parameters. */
function choose(accept: string | undefined, types: readonly string[]): string | undefined {
  for (const { type, subtype } of parseAccept(accept || '*/*')) {
    const found = types.find((each) => {
      const [ownType, ownSubtype] = each.split('/');
      return (type === '*' || type === ownType) && (subtype === '*' || subtype === ownSubtype);
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Compressed if the client wants that and requests the whole document. */
async function respondBytes(context: RequestContext, headers: ResponseHeaders, document: Document): Promise<void> {
  const { bytes, changedMs, isPacked } = document;
  if (!isPacked || context.exchange.headers['range'] !== undefined) {
    return serveContent(context, { headers, changedMs, bytes: () => bytes.plain() });
  }
  if (headers['vary'] === 'Accept') headers['vary'] = ['Accept', 'Accept-Encoding'];
  headers['content-encoding'] = 'gzip';
  await serveContent(context, { headers, changedMs, bytes: () => bytes.gzip() });
}

interface Document {
  readonly bytes: CachedBytes;
  readonly changedMs: number;
  readonly isPacked: boolean;
}
