// A running server: creates its parts in order, accepts requests, and stops everything it started.

import type { Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { answerFetch } from '../http/exchange/fetch-exchange.ts';
import { createListener, type Listener } from '../http/exchange/listener.ts';
import { answerPlain, type PlainAnswer, type PlainRequest } from '../http/exchange/plain-exchange.ts';
import type { HttpExchange } from '../http/exchange/transport.ts';
import { ShutdownGate } from '../http/filters/shutdown-gate.ts';
import { Pipeline } from '../http/pipeline.ts';
import type { AllocatorMetrics } from '../lifecycle/allocator-metrics.ts';
import type { HandshakeMetrics } from '../lifecycle/handshake-metrics.ts';
import { type BootstrapObject, type BootstrapOptions, bootstrapObjects, ownObjects } from '../resources/bootstrap.ts';
import type { Registry } from '../verbs/registry.ts';
import { startServiceAllocator } from '../verbs/services/service-allocator.ts';
import { advertisedAddress } from './advertised-address.ts';
import { createBootstrapObjects } from './bootstrap.ts';
import { withCertDir } from './cert-dir.ts';
import { followCredentials } from './credential-feed.ts';
import {
  clientAuthorities,
  hostsOf,
  loadCredentials,
  publishKubeconfig,
  type ServerCredentials,
} from './credentials.ts';
import { type ServedDefinitions, serveCustomResources } from './custom-resources.ts';
import { completeEnvironment, type ServerEnvironment } from './environment.ts';
import { listenError } from './listen-error.ts';
import { inOptionNames } from './option-names.ts';
import { DEFAULT_SECURE_PORT, InvalidOptionsError, type ServerOptions, serverOptions } from './options.ts';
import { OwnTokens } from './own-tokens.ts';
import { machineAddresses } from './process-facts.ts';
import { PublishedAuthorities } from './published-authorities.ts';
import { firstServiceAddress } from './service-range.ts';
import { shareOfLimits } from './threads/shares.ts';
import { answersOf } from './threads/thread-answers.ts';
import { conversionWebhooks } from './webhooks.ts';
import { checkCaches } from './wiring/check-caches.ts';
import type { WiringContext } from './wiring/context.ts';
import { type Foundation, openFoundation } from './wiring/foundation.ts';
import type { ClusterNeeds } from './wiring/load-cluster.ts';
import { openCaches } from './wiring/open-caches.ts';
import { type RequestParts, startRequestServices } from './wiring/request-services.ts';
import { runControllers, serverName, sharedServer } from './wiring/run-controllers.ts';
import { storageVersionPublication } from './wiring/storage-versions.ts';
import { makeWritePath, type WritePath } from './wiring/write-path.ts';

export type { Clock } from '../base/clock.ts';
export { type Log, silentLog } from '../base/log.ts';
export type { Random } from '../base/random.ts';
export type { ServerEnvironment } from './environment.ts';

export interface Server extends AsyncDisposable {
  /** The URL of the listener: `https://127.0.0.1:6443`; '' without a listener. */
  readonly url: string;
  /** The path of the administrator's kubeconfig, if it was written. */
  readonly kubeconfig: string | undefined;
  /** The text of that kubeconfig; '' without a listener. */
  readonly kubeconfigText: string;
  /** Runs a request through the whole handler chain, without a port. */
  fetch(request: Request): Promise<Response>;
  /** @internal Like fetch, over plain values. */
  answer(request: PlainRequest): Promise<PlainAnswer>;
  /**
   * Stops being ready and, after --shutdown-delay-duration, ends watches cleanly, lets requests in flight finish, and
   * closes.
   */
  drain(): Promise<void>;
  /** Stops everything and releases all resources. */
  close(): Promise<void>;
}

/**
 * Starts a server; resolves when it is ready.
 * @throws InvalidOptionsError for invalid options, and errors of files, ports and the store
 */
export async function startServer(
  given: Partial<ServerOptions> = {},
  environment: Partial<ServerEnvironment> = {},
): Promise<Server> {
  try {
    const options = withCertDir(serverOptions(given));
    return await started(new RunningServer(options, completeEnvironment(options, environment)));
  } catch (error) {
    const byFlags = environment.flags !== undefined || !(error instanceof InvalidOptionsError);
    throw byFlags ? error : inOptionNames(error);
  }
}

/** What simulated nodes follow. @throws Error for a file that cannot be read, or contains anything else */
async function stagesOf({ stages }: ServerOptions): Promise<ClusterNeeds['stages']> {
  return stages.length === 0 ? [] : (await import('./stage-files.ts')).readStages(stages);
}

async function started(server: RunningServer): Promise<Server> {
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

interface ListeningParts {
  /** The address that other machines know. */
  readonly address: string | undefined;
  readonly replaced: (credentials: ServerCredentials) => void;
  readonly metrics: HandshakeMetrics;
}

class RunningServer implements Server {
  url = '';
  kubeconfig: string | undefined;
  kubeconfigText = '';
  readonly #context: WiringContext;
  readonly #draining = new AbortController();
  readonly #shutdown = new ShutdownGate();
  readonly #ownTokens = new OwnTokens();
  #handler: (exchange: HttpExchange) => void = () => {};
  #listener: Listener | undefined;
  #ready = false;
  #stopping = false;
  #closed: Promise<void> | undefined;

  constructor(options: ServerOptions, environment: ServerEnvironment) {
    const tokens = [this.#ownTokens, ...environment.tokens];
    const closing = new AsyncDisposableStack();
    const askItself = (request: Request) => {
      request.headers.set('authorization', `Bearer ${this.#ownTokens.loopback}`);
      return this.fetch(request);
    };
    const requests = this.#shutdown;
    const ownLimits = shareOfLimits(environment.team?.size ?? 1);
    this.#context = {
      ...{ options, environment: { ...environment, tokens }, limits: ownLimits },
      ...{ closing, requests, askItself },
    };
  }

  /** Whether another thread of the process has what there is once. */
  get #follows(): boolean {
    return this.#context.environment.team?.leads === false;
  }

  async start(): Promise<void> {
    const { options } = this.#context;
    const { clock, random, listens } = this.#context.environment;
    const address = listens ? advertisedAddress(options, machineAddresses) : undefined;
    let credentials: ServerCredentials | undefined;
    const foundation = await openFoundation(this.#context, () => {
      credentials = listens ? this.#credentials(address) : undefined;
    });
    const { catalog, registry } = foundation;
    const stages = await stagesOf(options);
    const unsent = () => this.#listener?.unsentBytes ?? 0;
    foundation.metrics.runtime.hold({ name: 'unsent_answers', limit: this.#context.limits.unsentBytes, bytes: unsent });
    const writePath = await makeWritePath(this.#context, foundation);
    const { writes } = writePath;
    const fairness = options.enablePriorityAndFairness;
    const bootstrap = {
      gateEnabled: registry.gateEnabled,
      ...{ catalog, clock, random, fairness, serviceAddress: firstServiceAddress(options.serviceClusterIpRange) },
      // Without a listener, or before it has a port, the usual port is assumed.
      port: options.securePort || DEFAULT_SECURE_PORT,
      nodePort: options.kubernetesServiceNodePort,
    };
    const { team } = this.#context.environment;
    const standing = await this.#provideContents(bootstrap, registry, foundation.metrics.allocators);
    const definitions = await this.#serveCustomResources({ ...foundation, ...writePath });
    const storageVersions = this.#follows ? undefined : await storageVersionPublication(foundation);
    const parts = { ...foundation, ...writePath, storageVersions, definitions };
    const { services, controllers } = await this.#requestServices(parts);
    const firstAnswer = this.#answerBy(
      new Pipeline(services, { tracing: parts.tracing, hooks: this.#context.environment.hooks }),
    );
    const authorities = new PublishedAuthorities(credentials, (each) =>
      clientAuthorities(each, options, foundation.gates),
    );
    const replaced = (next: ServerCredentials) => {
      credentials = next;
      authorities.replace(next);
    };
    const listening = { address, replaced, metrics: foundation.metrics.handshakes };
    const port = credentials === undefined ? bootstrap.port : await this.#listen(credentials, listening);
    this.#ready = true;
    team?.answerBy(answersOf(foundation.metrics, this.#context.environment.levels));
    const found = { ...bootstrap, port };
    const server = serverName(this.#context, { host: address, port });
    const needs = {
      ...{ catalog, writes, fairness, ...controllers },
      ...{ turns: registry.turns, queueMetrics: foundation.metrics.queues },
      ...{ server, storageVersions, ephemeral: this.#context.environment.ephemeral },
      ownObjects: ownObjects(found, address === undefined ? [] : [address]),
      serviceCidrs: options.serviceClusterIpRange.split(','),
      shared: foundation.storage.shared
        ? sharedServer(this.#context, { server, address, bootstrap: found })
        : undefined,
      caPem: credentials?.certificates.caCertPem ?? '',
      authentication: authorities,
      makeToken: foundation.identity.makeSecretToken,
    };
    const cluster = { authorizer: writePath.authorizer, certificates: () => credentials?.own, stages };
    const life = { firstAnswer, cluster, draining: this.#draining.signal };
    const running = this.#follows ? Promise.resolve(undefined) : runControllers(this.#context, needs, life);
    this.#reconcileRoles(running, { catalog, writes, standing });
    if (foundation.storage.shared) {
      const { log } = this.#context.environment;
      const opening = running.then(() => openCaches({ catalog, registry, log, draining: this.#draining.signal }));
      this.#context.closing.defer(() => opening);
      await checkCaches(this.#context, foundation);
    }
    // Writes are rejected until storage versions are published.
    if (storageVersions !== undefined && (await running) !== undefined) await storageVersions.barrier.attempted;
  }

  /** The objects of every cluster, and the addresses and ports of services. @returns objects that were there before */
  async #provideContents(bootstrap: BootstrapOptions, registry: Registry, metrics: AllocatorMetrics) {
    const { serviceClusterIpRange, serviceNodePortRange } = this.#context.options;
    const standing = this.#follows ? [] : await createBootstrapObjects(registry, bootstrapObjects(bootstrap));
    const ranges = serviceClusterIpRange.split(',');
    const { catalog } = bootstrap;
    await startServiceAllocator({ registry, catalog, ranges, nodePorts: serviceNodePortRange, metrics });
    return standing;
  }

  /** Brings the roles that were there before this server up to date, once the controllers run. */
  #reconcileRoles(
    running: Promise<unknown>,
    {
      standing,
      ...needs
    }: Pick<Foundation & WritePath, 'catalog' | 'writes'> & { standing: readonly BootstrapObject[] },
  ): void {
    const roles = standing.filter(({ definition }) => definition.group === 'rbac.authorization.k8s.io');
    const { log, ephemeral } = this.#context.environment;
    // No other release has written to a store in memory.
    if (roles.length === 0 || ephemeral) return;
    const reconciled = running
      .then(() => (this.#stopping ? undefined : import('../controllers/role-reconciliation.ts')))
      .then((module) => module?.reconcileRoles({ ...needs, log }, roles))
      .catch((error: unknown) => log.error('default roles could not be reconciled', { error }));
    this.#context.closing.defer(() => reconciled);
  }

  async #serveCustomResources(parts: Foundation & WritePath): Promise<ServedDefinitions> {
    const { catalog, metrics, writes, caller } = parts;
    const { environment, closing } = this.#context;
    const { clock, log } = environment;
    const askWebhook = conversionWebhooks(caller);
    const { turns } = writes.registry;
    const needs = { clock, log, catalog, writes, askWebhook, turns, queueMetrics: metrics.queues };
    const customResources = await serveCustomResources(needs);
    closing.defer(() => customResources.stop());
    return customResources;
  }

  #requestServices(parts: RequestParts) {
    return startRequestServices(this.#context, parts, {
      draining: this.#draining.signal,
      shutdown: this.#shutdown,
      isReady: () => this.#ready,
      isDraining: () => this.#stopping,
      url: () => this.url,
    });
  }

  fetch(request: Request): Promise<Response> {
    const { clock } = this.#context.environment;
    return answerFetch(request, { handler: this.#handler, clock, bodyTimeoutMs: limits.bodyTimeoutMs });
  }

  answer(request: PlainRequest): Promise<PlainAnswer> {
    return answerPlain(request, (exchange) => this.#handler(exchange));
  }

  async drain(): Promise<void> {
    this.#stopping = true;
    const others = this.#context.environment.team?.drain();
    await this.#shutdownDelay();
    this.#draining.abort();
    if (this.#context.options.shutdownSendRetryAfter) await this.#withinGrace(this.#shutdown.close());
    await this.#listener?.drain(this.#graceMs());
    await others;
    await this.close();
  }

  /** Time limit for open requests during shutdown: watches have their own, if configured. */
  #graceMs(): number {
    return Math.max(limits.drainMs, this.#context.options.shutdownWatchTerminationGraceMs);
  }

  /** Waits, but no longer than requests in flight may take. */
  async #withinGrace(done: Promise<void>): Promise<void> {
    let timer: Timer | undefined;
    const over = new Promise<void>((resolve) => {
      timer = this.#context.environment.clock.after(this.#graceMs(), resolve);
    });
    await Promise.race([done, over]);
    timer?.cancel();
  }

  /** Continues as before for a while, so that load balancers notice that the server is no longer ready. */
  async #shutdownDelay(): Promise<void> {
    const { shutdownDelayMs } = this.#context.options;
    if (shutdownDelayMs === 0) return;
    await new Promise<void>((resolve) => {
      const timer = this.#context.environment.clock.after(shutdownDelayMs, resolve);
      this.#draining.signal.addEventListener('abort', () => {
        timer.cancel();
        resolve();
      });
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Accepts requests; resolves after the first response. */
  #answerBy(pipeline: Pipeline): Promise<void> {
    return new Promise((resolve) => {
      this.#handler = (exchange) => {
        this.#handler = (each) => void pipeline.serve(each);
        void pipeline.serve(exchange).then(resolve);
      };
    });
  }

  #credentials(address: string | undefined): ServerCredentials {
    const { clock, log, ephemeral, keys, team } = this.#context.environment;
    if (team?.credentials !== undefined) return team.credentials;
    return loadCredentials({
      options: this.#context.options,
      address,
      clock,
      log,
      ephemeral,
      made: keys?.certificates,
    });
  }

  /** @returns the port */
  async #listen(credentials: ServerCredentials, { address, replaced, metrics }: ListeningParts): Promise<number> {
    const { tls } = credentials;
    const { clock, log, ephemeral, team } = this.#context.environment;
    const { options, limits: own } = this.#context;
    const handler = (exchange: HttpExchange) => this.#handler(exchange);
    this.#listener = createListener({
      ...{ tls, handler, log, clock },
      limits: { ...own, streamsPerConnection: options.http2MaxStreamsPerConnection || own.streamsPerConnection },
      metrics,
      http1Only: options.disableHttp2Serving,
      sharesPort: options.permitPortSharing || team !== undefined,
    });
    const bound = await this.#listener.listen(options.bindAddress, options.securePort).catch((error: unknown) => {
      throw listenError(error, options);
    });
    this.url = `https://${reachableHost(options.bindAddress)}:${bound.port}`;
    this.#publish(credentials);
    team?.publish(credentials);
    const onChange = (next: ServerCredentials) => {
      this.#listener?.setTls(next.tls);
      this.#publish(next);
      team?.publish(next);
      replaced(next);
    };
    if (team !== undefined && this.#follows) {
      team.onCredentials(onChange);
      return bound.port;
    }
    const feed = followCredentials({
      ...{ options, address, clock, log, ephemeral, onChange, current: credentials },
      hosts: hostsOf(options, address),
    });
    this.#context.closing.defer(() => feed.stop());
    return bound.port;
  }

  #publish(credentials: ServerCredentials): void {
    this.#ownTokens.replaceAdministrator(credentials.adminToken);
    const { path, text } = publishKubeconfig(this.url, credentials, this.#context.environment.kubeconfigFolder);
    this.kubeconfig = path;
    this.kubeconfigText = text;
  }

  async #close(): Promise<void> {
    this.#stopping = true;
    this.#draining.abort();
    await this.#listener?.close();
    await this.#context.environment.team?.close();
    await this.#context.closing.disposeAsync();
  }
}

/** The host in URLs of a server that listens on `bindAddress`. */
function reachableHost(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
