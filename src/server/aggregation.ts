// The aggregation layer as configured by options: the group versions of other servers, connections to them, and the
// client certificate that they trust.

import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import type { ObjectLookup } from '../admission/object-lookup.ts';
import { type ApiServiceEntry, ApiServiceIndex, type RemoteApiService } from '../aggregator/api-service-index.ts';
import {
  type ApiServiceAnswer,
  type ApiServiceQuestion,
  type AskApiService,
  AskError,
  type WatchApiService,
} from '../aggregator/ask.ts';
import { identityHeaders } from '../aggregator/identity-headers.ts';
import { RemoteDiscovery } from '../aggregator/remote-discovery.ts';
import { RemoteOpenApi } from '../aggregator/remote-openapi.ts';
import { type EndpointLocation, serviceRoute } from '../aggregator/service-route.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Random } from '../base/random.ts';
import { SmallPieces } from '../base/small-pieces.ts';
import type { AggregatorMetrics } from '../lifecycle/aggregator-metrics.ts';
import type { BackendAnswer, BackendTls } from '../outbound/backends.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import type { BackendCaller } from './backends.ts';
import { CurrentFiles } from './current-files.ts';
import { followObjects } from './follow-objects.ts';
import { isKeyPair } from './key-pair.ts';
import type { ServerOptions } from './options.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';

interface AggregationNeeds extends ApiServiceWayNeeds {
  readonly catalog: Catalog;
  readonly metrics: AggregatorMetrics;
}

/** What requests and controllers need of it; ready, and updated from stored objects until the caches close. */
export async function startAggregation(needs: AggregationNeeds) {
  const { catalog, registry, metrics: aggregatorMetrics } = needs;
  const apiServices = await followApiServices(catalog, registry);
  const way = new ApiServiceWay(needs);
  const askApiService: AskApiService = (...of) => way.ask(...of);
  const watchApiService: WatchApiService = (...of) => way.watch(...of);
  const documents = { apiServices, remoteDiscovery: new RemoteDiscovery(), remoteOpenApi: new RemoteOpenApi() };
  return {
    requests: { ...documents, apiServiceRoutes: way },
    controllers: { ...documents, askApiService, watchApiService, aggregatorMetrics },
  };
}

async function followApiServices(catalog: Catalog, registry: Registry): Promise<ApiServiceIndex> {
  const index = new ApiServiceIndex();
  await followObjects(catalog, registry, {
    group: 'apiregistration.k8s.io',
    resource: 'apiservices',
    set: (object) => index.set(object),
    delete: (_, name) => index.delete(name),
  });
  return index;
}

interface ApiServiceWayNeeds {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly objects: ObjectLookup;
  readonly backends: BackendCaller;
  readonly registry: Registry;
}

/** Connections to the servers of APIServices. */
class ApiServiceWay {
  readonly #needs: ApiServiceWayNeeds;
  readonly #certificate: ReturnType<typeof proxyCertificate>;

  constructor(needs: ApiServiceWayNeeds) {
    this.#needs = needs;
    this.#certificate = proxyCertificate(needs.options, needs.clock);
  }

  /** Rejects with an Error that says why the server is unreachable. */
  async locate(apiService: RemoteApiService): Promise<EndpointLocation & { readonly tls: BackendTls }> {
    const { objects, random, options } = this.#needs;
    const { namespace, name } = apiService.service;
    const [service, slices] = await Promise.all([
      objects.find({ group: '', resource: 'services' }, namespace, name),
      objects.all({ group: 'discovery.k8s.io', resource: 'endpointslices' }, namespace),
    ]);
    const place = serviceRoute(apiService.service, {
      service,
      slices: slices.filter(({ metadata }) => metadata.labels?.[SERVICE_NAME] === name),
      endpointsOnly: options.enableAggregatorRouting,
      below: (count) => random.below(count),
    });
    return { ...place, tls: this.#tls(apiService) };
  }

  /** Rejects with AskError. */
  async ask(apiService: RemoteApiService, question: ApiServiceQuestion): Promise<ApiServiceAnswer> {
    const deadline = new AbortController();
    const timer = this.#needs.clock.after(limits.apiServiceDiscoveryMs, () => deadline.abort());
    try {
      return await this.#asked(apiService, question, { signal: deadline.signal, read: readAnswer });
    } finally {
      timer.cancel();
      deadline.abort();
    }
  }

  /** Rejects with AskError, also for error responses. */
  async *watch(
    apiService: RemoteApiService,
    question: ApiServiceQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const { body } = await this.#asked(apiService, question, {
      signal,
      async read(answer, url) {
        if (answer.status !== 200) {
          answer.body.destroy();
          throw new Error(`bad status from ${url}: ${answer.status}`);
        }
        return answer;
      },
    });
    try {
      yield* body as AsyncIterable<Buffer>;
    } finally {
      body.destroy();
    }
  }

  async #asked<Read>(apiService: RemoteApiService, question: ApiServiceQuestion, { signal, read }: Reading<Read>) {
    const place = await this.locate(apiService).catch((error: Error) => {
      throw new AskError('', error.message);
    });
    const { path, user, accept, etag, body, method = 'GET', verified = true } = question;
    const host = `${place.host.includes(':') ? `[${place.host}]` : place.host}:${place.port}`;
    const url = `https://${host}${path}`;
    try {
      const answer = await this.#needs.backends.call({
        ...place,
        method,
        scheme: 'https',
        target: path,
        headers: {
          host,
          'user-agent': 'Go-http-client/1.1',
          ...identityHeaders(user, this.#needs.registry.gateEnabled('RemoteRequestHeaderUID')),
          ...(accept === undefined ? {} : { accept }),
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
          ...(body === undefined ? {} : { 'content-type': body.type }),
        },
        body: body === undefined ? undefined : Readable.from([Buffer.from(body.text)]),
        bodyBytes: body === undefined ? undefined : `${Buffer.byteLength(body.text)}`,
        kubelet: false,
        globalOnly: false,
        tls: verified ? place.tls : { ...place.tls, verified: false },
        signal,
      });
      return await read(answer, url);
    } catch (error) {
      const verb = `${method[0]}${method.slice(1).toLowerCase()}`;
      throw new AskError(url, `${verb} "${url}": ${signal.aborted ? DEADLINE : (error as Error).message}`);
    }
  }

  #tls({ service, ca, insecure }: ApiServiceEntry & RemoteApiService): BackendTls {
    const serverName = `${service.name}.${service.namespace}.svc`;
    return { serverName, ca, verified: !insecure, ...this.#certificate() };
  }
}

interface Reading<Read> {
  readonly signal: AbortSignal;
  readonly read: (answer: BackendAnswer, url: string) => Promise<Read>;
}

const DEADLINE = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

/** @throws Error for a response that is too large or incomplete */
async function readAnswer({ status, rawHeaders, body }: BackendAnswer, url: string): Promise<ApiServiceAnswer> {
  const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > limits.apiServiceDocumentBytes) {
      body.destroy();
      throw new Error(`the response is longer than ${limits.apiServiceDocumentBytes} bytes`);
    }
    pieces.add(piece);
  }
  const header = (name: string) => {
    const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
    return at < 0 ? undefined : rawHeaders[at + 1];
  };
  const contentType = header('content-type') ?? '';
  return { status, contentType, etag: header('etag'), body: Buffer.concat(pieces.take()).toString(), url };
}

/** The client certificate for other API servers, as currently on disk. @throws Error if the files cannot be read */
function proxyCertificate(
  { proxyClientCertFile, proxyClientKeyFile }: ServerOptions,
  clock: Clock,
): () => { cert: string | undefined; key: string | undefined } {
  if (proxyClientCertFile === undefined || proxyClientKeyFile === undefined) {
    return () => ({ cert: undefined, key: undefined });
  }
  const files = new CurrentFiles([proxyClientCertFile, proxyClientKeyFile], { clock, isUsable: isKeyPair });
  return () => {
    const [cert, key] = files.current();
    return { cert, key };
  };
}
