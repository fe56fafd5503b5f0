// Controller of the Available condition of APIServices. Local ones are always available; for one that refers to another
// server it reports what is missing on the way there, or whether that server responds.

import { apiServiceEntry, type RemoteApiService } from '../aggregator/api-service-index.ts';
import type { AskApiService } from '../aggregator/ask.ts';
import { probe } from '../aggregator/probe.ts';
import { isObject } from '../api/is-object.ts';
import type { ApiObject, Json } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import type { AggregatorMetrics } from '../lifecycle/aggregator-metrics.ts';
import { LOCALLY_AVAILABLE } from '../resources/builtin/apiregistration/strategy.ts';
import { type Condition, hasCondition, setCondition } from '../resources/conditions.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import { storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { CachedObject, WatchCache } from '../verbs/watch.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type Followed, followed } from './followed.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

const GROUP = 'apiregistration.k8s.io';
/** The label that names an endpoint slice's service. */
const SERVICE_NAME = 'kubernetes.io/service-name';
/** The endpoints of services that APIServices refer to. */
interface Backends {
  readonly services: WatchCache;
  readonly slices: WatchCache;
}

export interface AvailabilityContext extends ControllerContext {
  /** How to probe another server. */
  readonly askApiService: AskApiService;
  readonly aggregatorMetrics: AggregatorMetrics;
}

export class ApiServiceAvailability implements Controller {
  readonly name = 'apiservice-availability-controller';
  readonly #context: AvailabilityContext;
  readonly #objects: ControlledObjects;
  /** Names of APIServices. */
  readonly #queue: WorkQueue<string>;
  /** `namespace/name` of the service of each that has one. */
  readonly #services = new Map<string, string>();
  /** The number of consecutive failures of servers that do not respond. */
  readonly #failures = new Map<string, number>();
  #apiServices: Followed | undefined;
  /** Watched once there is an APIService that refers to another server. */
  #backends: Promise<Backends> | undefined;
  #watches: ObjectWatch[] = [];

  constructor(context: AvailabilityContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, this.name, 'kube-apiserver');
    const work = (name: string) => this.#settle(name);
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: limits.slowWorkers, work });
  }

  async start(): Promise<void> {
    this.#apiServices = await followed(this.#context, GROUP, 'apiservices');
    if (this.#apiServices === undefined) return;
    this.#watches.push(
      new ObjectWatch(this.#apiServices.cache, {
        changed: ({ name }) => this.#queue.add(name),
        removed: ({ name }) => this.#forget(name),
      }),
    );
    this.#queue.start();
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
    for (const watch of this.#watches) watch.close();
  }

  #forget(name: string): void {
    this.#services.delete(name);
    this.#failures.delete(name);
    this.#context.aggregatorMetrics.gone(name);
  }

  async #openBackends(): Promise<Backends> {
    const [services, slices] = await Promise.all([
      followed(this.#context, '', 'services'),
      followed(this.#context, 'discovery.k8s.io', 'endpointslices'),
    ]);
    if (services === undefined || slices === undefined) throw new Error('services or endpoint slices are not served');
    const lookAgain = (service: string) => {
      for (const [name, its] of this.#services) if (its === service) this.#queue.add(name);
    };
    const ofService = ({ namespace, name }: CachedObject) => lookAgain(`${namespace}/${name}`);
    const ofSlice = ({ namespace, labels }: CachedObject) => lookAgain(`${namespace}/${labels?.[SERVICE_NAME]}`);
    this.#watches.push(
      new ObjectWatch(services.cache, { changed: ofService, removed: ofService }),
      new ObjectWatch(slices.cache, { changed: ofSlice, removed: ofSlice }),
    );
    return { services: services.cache, slices: slices.cache };
  }

  async #settle(name: string): Promise<number | undefined> {
    const { definition, cache } = this.#apiServices!;
    const stored = cache.get(storageKey(definition, '', name));
    if (stored === undefined) return undefined;
    const apiService = decodeStored(stored);
    const condition = await this.#condition(name, apiService);
    this.#count(apiService, condition);
    if (!hasCondition(apiService, condition)) {
      const now = timestamp(this.#context.clock.now());
      const place = { definition, namespace: '', name };
      const { uid } = apiService.metadata;
      const change = (current: ApiObject) => current.metadata.uid === uid && setCondition(current, condition, now);
      await this.#objects.change(place, change, 'status');
    }
    return isObject(at(apiService, 'spec', 'service')) ? this.#nextLook(name, condition) : undefined;
  }

  #count(apiService: ApiObject, condition: Condition): void {
    const { aggregatorMetrics } = this.#context;
    const { name = '' } = apiService.metadata;
    const isAvailable = condition.status === 'True';
    aggregatorMetrics.observed(name, isAvailable);
    if (apiServiceEntry(apiService).available && !isAvailable) {
      aggregatorMetrics.becameUnavailable(name, condition.reason);
    }
  }

  /** Milliseconds until a server is probed again: soon after it failed, with growing delays. */
  #nextLook(name: string, { reason }: Condition): number {
    if (reason !== 'FailedDiscoveryCheck') {
      this.#failures.delete(name);
      return limits.apiServiceProbeMs;
    }
    const failures = this.#failures.get(name) ?? 0;
    this.#failures.set(name, failures + 1);
    return Math.min(limits.controllerRetryMs * 2 ** failures, limits.apiServiceProbeMs);
  }

  async #condition(name: string, apiService: ApiObject): Promise<Condition> {
    const named = at(apiService, 'spec', 'service');
    if (!isObject(named)) {
      this.#services.delete(name);
      return LOCALLY_AVAILABLE;
    }
    const namespace = textAt(named, 'namespace');
    const service = textAt(named, 'name');
    this.#services.set(name, `${namespace}/${service}`);
    this.#backends ??= this.#openBackends().catch((error: unknown) => {
      // The queue retries.
      this.#backends = undefined;
      throw error;
    });
    const { services, slices } = await this.#backends;
    const matches = (object: { labels: CachedObject['labels'] }) => object.labels?.[SERVICE_NAME] === service;
    const [found] = services.snapshot().objects({ ...EVERYTHING, namespace, name: service });
    const missing = unavailable({
      text: `service/${service} in ${goQuote(namespace)}`,
      port: at(named, 'port'),
      service: found && decodeStored(found),
      slices: [...slices.snapshot().objects({ ...EVERYTHING, namespace, matches })].map(decodeStored),
    });
    if (missing !== undefined) return missing;
    const fault = await probe(apiServiceEntry(apiService) as RemoteApiService, this.#context.askApiService);
    return fault === undefined
      ? ANSWERS
      : { ...ANSWERS, status: 'False', reason: 'FailedDiscoveryCheck', message: fault };
  }
}

const ANSWERS: Condition = { type: 'Available', status: 'True', reason: 'Passed', message: 'all checks passed' };

interface Way {
  /** The name of the service in messages. */
  readonly text: string;
  readonly port: Json | undefined;
  readonly service: ApiObject | undefined;
  readonly slices: readonly ApiObject[];
}

/** What is missing on the way to another server, in Kubernetes' order of checks; undefined if nothing is. */
function unavailable({ text, port, service, slices }: Way): Condition | undefined {
  const because = (reason: string, message: string): Condition => ({
    type: 'Available',
    status: 'False',
    reason,
    message,
  });
  if (service === undefined) return because('ServiceNotFound', `${text} is not present`);
  if (textAt(service, 'spec', 'type') === 'ClusterIP') {
    const listening = listAt(service, 'spec', 'ports').find((each) => at(each, 'port') === port);
    if (listening === undefined) return because('ServicePortError', `${text} is not listening on port ${port}`);
    if (slices.length === 0) return because('EndpointsNotFound', `cannot find endpointslices for ${text}`);
    const portName = textAt(listening, 'name');
    if (!slices.some((slice) => isReachable(slice, portName))) {
      const missing = `have no addresses with port name ${goQuote(portName)}`;
      return because('MissingEndpoints', `endpointslices for ${text} ${missing}`);
    }
  }
  return undefined;
}

/** Whether the slice has a ready endpoint with the port. */
function isReachable(slice: ApiObject, portName: string): boolean {
  const isReady = (endpoint: Json) => (at(endpoint, 'conditions', 'ready') ?? true) === true;
  const isPort = (port: Json) => at(port, 'name') === portName && at(port, 'port') !== undefined;
  return listAt(slice, 'endpoints').some(isReady) && listAt(slice, 'ports').some(isPort);
}
