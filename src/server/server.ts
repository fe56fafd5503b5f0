// The composition root: from options to a wired, running server. The only place that constructs drivers; everything
// else is handed what it needs.

import { hostname } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_CONFIGURATION, type PluginConfiguration } from '../admission/plugin-configuration.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import { ShortTurns } from '../base/short-turns.ts';
import type { ControllerSetOptions, SharedServer } from '../controllers/controller-set.ts';
import type { ApiServices, ApiSettings } from '../http/api-services.ts';
import { answerFetch } from '../http/fetch-exchange.ts';
import type { HealthChecks } from '../http/health.ts';
import { createListener, type Listener } from '../http/listener.ts';
import { Pipeline } from '../http/pipeline.ts';
import { ShutdownGate } from '../http/shutdown-gate.ts';
import type { HttpExchange } from '../http/transport.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import { declareServerMetrics, type ServerMetrics } from '../lifecycle/server-metrics.ts';
import { versionDocument } from '../lifecycle/version.ts';
import { type Dial, dial } from '../outbound/dial.ts';
import { type BootstrapOptions, bootstrapObjects, ownObjects } from '../resources/bootstrap.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Store } from '../store/store.ts';
import { startServiceAllocator } from '../verbs/services/service-allocator.ts';
import { advertisedAddress } from './advertised-address.ts';
import { startAggregation } from './aggregation.ts';
import { type Authorization, type AuthorizationNeeds, authorization } from './authorization.ts';
import { backendCaller } from './backends.ts';
import { createBootstrapObjects } from './bootstrap.ts';
import { withCertDir } from './cert-dir.ts';
import { componentProbes } from './component-probes.ts';
import { consoleLog } from './console-log.ts';
import { followCredentials } from './credential-feed.ts';
import {
  clientAuthorities,
  hostsOf,
  loadCredentials,
  publishKubeconfig,
  type ServerCredentials,
} from './credentials.ts';
import { serveCustomResources } from './custom-resources.ts';
import { DeferredAdmission } from './deferred-admission.ts';
import type { EncryptionAtRest } from './encryption/encryption-at-rest.ts';
import { type FlowControlSources, startFlowControl } from './flow-control.ts';
import { type HealthSources, healthChecks } from './health-checks.ts';
import { type Identity, loadIdentity, type ServerKeys } from './identity.ts';
import { metricRules } from './metric-rules.ts';
import { chosenPlugins } from './options/admission.ts';
import { DEFAULT_SECURE_PORT, defaultServerOptions, type ServerOptions, serverOptions } from './options.ts';
import { machineAddresses, processFacts, runtimeFacts } from './process-facts.ts';
import { resourceFacts } from './resource-facts.ts';
import { servedApis } from './served-apis.ts';
import { firstServiceAddress } from './service-range.ts';
import { standardOutput } from './standard-output.ts';
import { openStorage, type Storage, type StorageNeeds, storageFacts } from './storage.ts';
import { storedObjects } from './stored-objects.ts';
import { SystemRandom, systemClock } from './system-clock.ts';
import { conversionWebhooks, webhookCaller } from './webhooks.ts';

export type { Clock } from '../base/clock.ts';
export { type Log, silentLog } from '../base/log.ts';
export type { Random } from '../base/random.ts';

/** What a server runs on; tests hand in their own. */
export interface ServerEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** More sources of bearer tokens than the options name. */
  readonly tokens: readonly TokenAuthenticator[];
  /** False: no port is opened, only fetch() reaches the server. */
  readonly listens: boolean;
  /** How connections to kubelets, pods and services are opened. */
  readonly dial: Dial;
  /** True: certificates are made in memory and no file is read or written but those that options name. */
  readonly ephemeral: boolean;
  /** What an ephemeral server is known by, where another was known by it before; undefined: it makes its own. */
  readonly keys: ServerKeys | undefined;
  /** The folder that the administrator's kubeconfig is written to; undefined for none. */
  readonly kubeconfigFolder: string | undefined;
  /** A store that is open or being opened; without one the server opens what the options say. It closes it. */
  readonly store: Promise<Store> | undefined;
}

export interface Server extends AsyncDisposable {
  /** Where the server listens: `https://127.0.0.1:6443`; '' when it does not. */
  readonly url: string;
  /** The path of a kubeconfig that reaches the server with all rights, when it wrote one. */
  readonly kubeconfig: string | undefined;
  /** The text of that kubeconfig; '' when the server does not listen. */
  readonly kubeconfigText: string;
  /** Runs a request through the whole pipeline, without a port. */
  fetch(request: Request): Promise<Response>;
  /**
   * Is no longer ready, and after --shutdown-delay-duration ends watches cleanly, lets requests in flight finish, then
   * closes.
   */
  drain(): Promise<void>;
  /** Ends everything and lets go of all resources. */
  close(): Promise<void>;
}

/** How long the controllers let others come first. */
const CONTROLLERS_WAIT_MS = 100;

/** How long requests in flight may take to finish when the server drains. */
const DRAIN_GRACE_MS = 60_000;

/**
 * Starts a server; resolves when it is ready.
 * @throws InvalidOptionsError for options that make no sense, and errors of files, ports and the store as they are met
 */
export async function startServer(
  given: Partial<ServerOptions> = {},
  environment: Partial<ServerEnvironment> = {},
): Promise<Server> {
  const options = withCertDir(serverOptions(given));
  const full = completeEnvironment(options, environment);
  const server = new RunningServer(options, full);
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

function completeEnvironment(options: ServerOptions, given: Partial<ServerEnvironment>): ServerEnvironment {
  const clock = given.clock ?? systemClock;
  const ephemeral = given.ephemeral ?? (options.store === 'memory' && options.etcdServers.length === 0);
  return {
    clock,
    random: new SystemRandom(),
    log: consoleLog({ write: (text) => process.stderr.write(text), clock, verbosity: options.verbosity }),
    tokens: [],
    listens: true,
    dial,
    store: undefined,
    keys: undefined,
    kubeconfigFolder: given.ephemeral === true ? undefined : kubeconfigFolder(options, ephemeral),
    ...given,
    ephemeral,
  };
}

/** Who keeps objects in memory finds no file anywhere, and a kubeconfig where --data-dir names another folder. */
function kubeconfigFolder({ dataDir }: ServerOptions, ephemeral: boolean): string | undefined {
  return ephemeral && dataDir === defaultServerOptions.dataDir ? undefined : dataDir;
}

class RunningServer implements Server {
  url = '';
  kubeconfig: string | undefined;
  kubeconfigText = '';
  readonly #options: ServerOptions;
  readonly #environment: ServerEnvironment;
  readonly #draining = new AbortController();
  readonly #shutdown = new ShutdownGate();
  /** What close() does, the first first. */
  readonly #closers: (() => void | Promise<void>)[] = [];
  #handler: (exchange: HttpExchange) => void = () => {};
  #listener: Listener | undefined;
  #ready = false;
  #stopping = false;
  #closed: Promise<void> | undefined;

  constructor(options: ServerOptions, environment: ServerEnvironment) {
    this.#options = options;
    this.#environment = environment;
  }

  async start(): Promise<void> {
    const options = this.#options;
    const { clock, random, log, listens } = this.#environment;
    const { emulation, gates, catalog } = await servedApis(options, log);
    const runtime = runtimeFacts();
    const metrics = declareServerMetrics({
      ...{ clock, gates, emulation, runtime, process: processFacts, ...storageFacts(options, () => storage) },
      ...{ resources: () => resourceFacts(catalog, registry), rules: await metricRules(options, log) },
    });
    const encryption = await this.#encryption(catalog, metrics);
    const opening = this.#openStorage({ catalog, gates, transformers: encryption });
    // While another thread opens the store.
    const identity = await this.#identity(metrics);
    const address = listens ? advertisedAddress(options, machineAddresses) : undefined;
    const credentials = listens ? this.#credentials(address) : undefined;
    const storage = await opening;
    const registry = storage.registry({ clock, random, gates, emulation, allowPrivileged: options.allowPrivileged });
    this.#closers.unshift(() => registry.close());
    const objects = storedObjects(catalog, registry);
    const needs = { catalog, registry, gates, metrics: metrics.auth };
    const { authorizer, rbac, rulesFor } = await this.#authorization(needs);
    const caller = webhookCaller({ ...this.#environment, objects });
    this.#closers.unshift(() => caller.close());
    const asked = { catalog, registry, gates, objects, authorizer, rbac, caller, ...(await this.#plugins()) };
    const admission = new DeferredAdmission({ clock, random, log, ...asked, metrics: metrics.admission });
    const writes = { registry, admission };
    const serviceAddress = firstServiceAddress(options.serviceClusterIpRange);
    // Without a port of its own yet, or for good, it is found where servers usually are.
    const { enablePriorityAndFairness: fairness } = options;
    const usual = { port: options.securePort || DEFAULT_SECURE_PORT };
    const bootstrap = { ...{ catalog, clock, random, fairness, serviceAddress }, ...usual };
    await createBootstrapObjects(registry, bootstrapObjects(bootstrap));
    await startServiceAllocator({
      registry,
      catalog,
      ranges: options.serviceClusterIpRange.split(','),
      nodePorts: options.serviceNodePortRange,
    });
    const customResources = await serveCustomResources({
      ...{ clock, log, catalog, writes },
      askWebhook: conversionWebhooks(caller),
    });
    this.#closers.unshift(() => customResources.stop());
    const flow = await this.#startFlowControl({ catalog, registry, metrics: metrics.flow });
    const backends = backendCaller(options, this.#environment);
    const parts = { options, clock, random, catalog, registry, objects, backends, metrics: metrics.aggregator };
    const aggregation = await startAggregation(parts);
    const services: ApiServices = {
      ...{ clock, random, log, catalog, writes, turns: new ShortTurns(clock, setImmediate) },
      auditor: await this.#audit(metrics),
      authenticator: identity.authenticator(objects),
      authorizer,
      rulesFor,
      serviceAccountTokens: identity.serviceAccountTokens,
      metrics,
      flow,
      health: this.#health({ storage, encryption, fairness: flow !== undefined, metrics: metrics.health }),
      backends,
      ...aggregation.requests,
      components: componentProbes(backends, storage),
      settings: this.#settings(gates),
      typeDescriptions: async () => (await import('./type-descriptions-file.ts')).builtDescriptions(),
      version: versionDocument(runtime, emulation),
      draining: this.#draining.signal,
      shutdown: this.#shutdown,
    };
    const firstAnswer = this.#answerBy(new Pipeline(services));
    const port = credentials === undefined ? bootstrap.port : await this.#listen(credentials, address);
    this.#ready = true;
    this.#runControllers(firstAnswer, {
      ...{ clock, log, catalog, writes, fairness },
      ownObjects: ownObjects({ ...bootstrap, port }, address === undefined ? [] : [address]),
      shared: storage.shared ? this.#sharedServer(address, { ...bootstrap, port }) : undefined,
      ...aggregation.controllers,
      caPem: credentials?.certificates.caCertPem ?? '',
      authentication: clientAuthorities(credentials, options),
      makeToken: (...of) => identity.serviceAccountTokens.issuer.issueForSecret(...of),
    });
  }

  fetch(request: Request): Promise<Response> {
    const { clock } = this.#environment;
    return answerFetch(request, { handler: this.#handler, clock, bodyTimeoutMs: limits.bodyTimeoutMs });
  }

  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#shutdownDelay();
    this.#draining.abort();
    if (this.#options.shutdownSendRetryAfter) await this.#withinGrace(this.#shutdown.close());
    await this.#listener?.drain(this.#graceMs());
    await this.close();
  }

  /** How long what is open may take to end: watches have their own time, where one is set. */
  #graceMs(): number {
    return Math.max(DRAIN_GRACE_MS, this.#options.shutdownWatchTerminationGraceMs);
  }

  /** Waits, but no longer than what is in flight may take. */
  async #withinGrace(done: Promise<void>): Promise<void> {
    let timer: Timer | undefined;
    const over = new Promise<void>((resolve) => {
      timer = this.#environment.clock.after(this.#graceMs(), resolve);
    });
    await Promise.race([done, over]);
    timer?.cancel();
  }

  /** Goes on as before for a while: whoever sends requests has to notice that the server is no longer ready. */
  async #shutdownDelay(): Promise<void> {
    const { shutdownDelayMs } = this.#options;
    if (shutdownDelayMs === 0) return;
    await new Promise<void>((resolve) => {
      const timer = this.#environment.clock.after(shutdownDelayMs, resolve);
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

  /** Lets requests in; resolves when one has been answered. */
  #answerBy(pipeline: Pipeline): Promise<void> {
    return new Promise((resolve) => {
      this.#handler = (exchange) => {
        this.#handler = (each) => void pipeline.serve(each);
        void pipeline.serve(exchange).then(resolve);
      };
    });
  }

  /** What the other servers on the same store, and clients of all of them, are told of this one. */
  #sharedServer(address: string | undefined, bootstrap: BootstrapOptions): SharedServer {
    return {
      hostname: hostname(),
      uuid: this.#environment.random.uuid(),
      address: this.#options.endpointReconcilerType === 'none' ? undefined : address,
      ownObjects: (addresses) => ownObjects(bootstrap, addresses),
    };
  }

  /** Their code is loaded when somebody has been answered or nobody comes: who waits for the server has it to himself. */
  #runControllers(firstAnswer: Promise<void>, needs: ControllerNeeds): void {
    const { controllers, eventTtlMs } = this.#options;
    const { signal } = this.#draining;
    const nobodyComes = new Promise<void>((resolve) => {
      needs.clock.after(CONTROLLERS_WAIT_MS, resolve);
      signal.addEventListener('abort', () => resolve());
    });
    const running = Promise.race([firstAnswer, nobodyComes])
      // An answer goes out at the end of the turn in which it is given.
      .then(() => nextTurn())
      .then(() => (signal.aborted ? undefined : import('../controllers/controller-set.ts')))
      .then((module) => module?.startControllers({ ...needs, controllers, eventTtlMs }))
      .catch((error: unknown) => needs.log.error('the controllers do not run', { error }));
    this.#closers.unshift(async () => (await running)?.stop());
  }

  #health(sources: Omit<HealthSources, 'isReady' | 'isDraining'>): HealthChecks {
    return healthChecks({ ...sources, isReady: () => this.#ready, isDraining: () => this.#stopping });
  }

  async #startFlowControl(parts: Pick<FlowControlSources, 'catalog' | 'registry' | 'metrics'>) {
    const options = this.#options;
    if (!options.enablePriorityAndFairness) return undefined;
    const flow = await startFlowControl({ clock: this.#environment.clock, options, ...parts });
    this.#closers.unshift(() => flow.controller.stop());
    return flow;
  }

  #openStorage(needs: Pick<StorageNeeds, 'catalog' | 'gates' | 'transformers'>): Promise<Storage> {
    const { clock, log, store: given } = this.#environment;
    const opening = openStorage({ options: this.#options, clock, log, given, ...needs });
    this.#closers.unshift(() =>
      opening.then(
        (storage) => storage.close(),
        () => {},
      ),
    );
    return opening;
  }

  async #authorization(
    needs: Pick<AuthorizationNeeds, 'catalog' | 'registry' | 'gates' | 'metrics'>,
  ): Promise<Authorization> {
    const made = await authorization({ ...this.#environment, options: this.#options, ...needs });
    this.#closers.unshift(() => made.stop());
    return made;
  }

  async #identity({ auth: metrics }: ServerMetrics): Promise<Identity> {
    const identity = await loadIdentity(this.#options, { ...this.#environment, metrics });
    this.#closers.unshift(() => identity.stop());
    return identity;
  }

  /** Loads what is needed for it only where it is configured. */
  async #encryption(catalog: Catalog, metrics: ServerMetrics): Promise<EncryptionAtRest | undefined> {
    const { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: reload } = this.#options;
    if (path === undefined) return undefined;
    const { loadEncryptionAtRest } = await import('./encryption/encryption-at-rest.ts');
    const { clock, log } = this.#environment;
    const encryption = await loadEncryptionAtRest({ path, reload, clock, log, catalog, metrics: metrics.encryption });
    this.#closers.unshift(() => encryption.stop());
    return encryption;
  }

  #settings(gates: FeatureGates): ApiSettings {
    const options = this.#options;
    return {
      requestTimeoutMs: options.requestTimeoutMs,
      minRequestTimeoutMs: options.minRequestTimeoutSeconds * 1000,
      maxRequestsInFlight: options.maxRequestsInFlight,
      maxMutatingRequestsInFlight: options.maxMutatingRequestsInFlight,
      goawayChance: options.goawayChance,
      refusesWatches: options.shutdownWatchTerminationGraceMs > 0,
      gzip: gates.enabled('APIResponseCompression'),
      cbor: gates.enabled('CBORServingAndStorage'),
      kubeletPreferredAddressTypes: options.kubeletPreferredAddressTypes,
      rejectsRedirects: options.aggregatorRejectForwardingRedirect,
      externalAddress: () => this.url.replace('https://', ''),
    };
  }

  /** What closes it stands behind all that may still be recorded. */
  /** Read at the start, though it is used late: what is wrong with it keeps the server from starting. */
  async #plugins(): Promise<{ options: ServerOptions; configuration: PluginConfiguration }> {
    const options = this.#options;
    const enabled = chosenPlugins(options);
    const path = options.admissionControlConfigFile;
    if (path === undefined && !enabled.has('EventRateLimit')) return { options, configuration: NO_CONFIGURATION };
    const { readPluginConfiguration } = await import('./plugin-configuration.ts');
    return { options, configuration: await readPluginConfiguration(path, enabled) };
  }

  async #audit({ audit: metrics }: ServerMetrics): Promise<Auditor | undefined> {
    const options = this.#options;
    const { auditPolicyFile, auditLogPath, auditWebhookConfigFile } = options;
    if ((auditPolicyFile ?? auditLogPath ?? auditWebhookConfigFile) === undefined) return undefined;
    const { startAudit } = await import('./audit/start-audit.ts');
    const auditor = await startAudit({ ...this.#environment, options, metrics, output: standardOutput });
    this.#closers.push(() => auditor?.close());
    return auditor;
  }

  #credentials(address: string | undefined): ServerCredentials {
    const { clock, log, ephemeral, keys } = this.#environment;
    return loadCredentials({ options: this.#options, address, clock, log, ephemeral, made: keys?.certificates });
  }

  /** @returns the port */
  async #listen(credentials: ServerCredentials, address: string | undefined): Promise<number> {
    const { tls } = credentials;
    const { clock, log, ephemeral } = this.#environment;
    const options = this.#options;
    const handler = (exchange: HttpExchange) => this.#handler(exchange);
    this.#listener = createListener({ tls, handler, log, clock, limits });
    const bound = await this.#listener.listen(options.bindAddress, options.securePort);
    this.url = `https://${reachableHost(options.bindAddress)}:${bound.port}`;
    this.#publish(credentials);
    const feed = followCredentials({
      ...{ options, address, clock, log, ephemeral, current: credentials },
      hosts: hostsOf(options, address),
      onChange: (next) => {
        this.#listener?.setTls(next.tls);
        this.#publish(next);
      },
    });
    this.#closers.unshift(() => feed.stop());
    return bound.port;
  }

  #publish({ certificates }: ServerCredentials): void {
    const { path, text } = publishKubeconfig(this.url, certificates, this.#environment.kubeconfigFolder);
    this.kubeconfig = path;
    this.kubeconfigText = text;
  }

  async #close(): Promise<void> {
    this.#stopping = true;
    this.#draining.abort();
    await this.#listener?.close();
    for (const close of this.#closers) await close();
  }
}

/** The host to write into addresses for a server that listens on `bindAddress`. */
function reachableHost(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}

type ControllerNeeds = Omit<ControllerSetOptions, 'controllers' | 'eventTtlMs'>;
