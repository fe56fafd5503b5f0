// The aggregation layer as configured by options: the group versions of other servers, connections to them, and the
// client certificate that they trust.

import type { Buffer } from 'node:buffer';
import type { ObjectLookup } from '../admission/object-lookup.ts';
import { type ApiServiceEntry, ApiServiceIndex, type RemoteApiService } from '../aggregator/api-service-index.ts';
import {
  type ApiServiceAnswer,
  type ApiServiceQuestion,
  type AskApiService,
  AskError,
  type WatchApiService,
} from '../aggregator/ask.ts';
import { RemoteDiscovery } from '../aggregator/remote-discovery.ts';
import { RemoteOpenApi } from '../aggregator/remote-openapi.ts';
import { type EndpointLocation, serviceRoute } from '../aggregator/service-route.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { AggregatorMetrics } from '../lifecycle/aggregator-metrics.ts';
import type { BackendAnswer, BackendTls } from '../outbound/backends.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import { askServer, inTime, proxyCertificate, readAnswer } from './ask-server.ts';
import type { BackendCaller } from './backends.ts';
import { followObjects } from './follow-objects.ts';
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
    return await inTime(this.#needs.clock, (signal) => this.#asked(apiService, question, { signal, read: readAnswer }));
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
    const { backends, registry } = this.#needs;
    const tellsUid = registry.gateEnabled('RemoteRequestHeaderUID');
    return await askServer(place, question, { backends, tellsUid, signal, read });
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
