// The parts of a running server that handle requests, put together by the composition root.

import type { ApiServiceIndex } from '../aggregator/api-service-index.ts';
import type { RemoteDiscovery } from '../aggregator/remote-discovery.ts';
import type { RemoteOpenApi } from '../aggregator/remote-openapi.ts';
import type { TraceCall } from '../api/call-trace.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { Authenticator } from '../auth/authn/authenticator.ts';
import type { TokenIssuer } from '../auth/authn/token-issuer.ts';
import type { TokenKeys } from '../auth/authn/token-keys.ts';
import type { Authorizer } from '../auth/authz/authorizer.ts';
import type { UserRules } from '../auth/authz/rbac.ts';
import type { User } from '../auth/user.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { ReadTimes } from '../base/read-times.ts';
import type { ShortTurns } from '../base/short-turns.ts';
import type { ImpersonationSeries } from '../lifecycle/auth-series.ts';
import type { ServerMetrics } from '../lifecycle/server-metrics.ts';
import type { VersionDocument } from '../lifecycle/version.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { TypeDescriptions } from '../resources/openapi/type-descriptions.ts';
import type { ComponentProbes } from '../verbs/component-statuses.ts';
import type { StorageVersionBarrier } from '../verbs/storage-version-barrier.ts';
import type { WriteContext } from '../verbs/write.ts';
import type { ApiServiceRoutes } from './connect/api-service-routes.ts';
import type { Backends } from './connect/backends.ts';
import type { PeerRoutes } from './connect/peer-routes.ts';
import type { DebugFacts, ProcessChange } from './documents/debug-facts.ts';
import type { HealthChecks } from './documents/health-checks.ts';
import type { ResponseHeaders } from './exchange/transport.ts';
import type { AllowedOrigins } from './filters/allowed-origins.ts';
import type { ImpersonationModes } from './filters/constrained-impersonation.ts';
import type { FlowServices } from './filters/flow-services.ts';
import type { ShutdownGate } from './filters/shutdown-gate.ts';

/** The other serving threads: each has its own metrics and log, but /metrics covers all of them, and so do changes. */
interface OtherThreads {
  /** Their texts of /metrics, or of /metrics/slis, with or without native histograms. */
  othersMetrics(path: string, withNative: boolean): Promise<readonly string[]>;
  changeOthers(change: ProcessChange): void;
}

export interface RequestServices {
  readonly clock: Clock;
  readonly random: Random;
  /** Cooperative slices for long responses, so that other requests run in between. */
  readonly turns: ShortTurns;
  /** Undefined if requests do not come from connections. */
  readonly readTimes?: Pick<ReadTimes, 'waitedMs'>;
  readonly log: Log;
  readonly catalog: Catalog;
  /** Dependencies of the verbs. */
  readonly writes: WriteContext;
  /** Undefined if auditing is off. */
  readonly auditor: Auditor | undefined;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Constrained impersonation; undefined if its gate is off. */
  readonly impersonation: { readonly modes: ImpersonationModes; readonly series: ImpersonationSeries } | undefined;
  /** The rules that a user has in a namespace, as far as they can be listed. */
  readonly rulesFor: (user: User, namespace: string) => UserRules;
  readonly serviceAccountTokens: ServiceAccountTokenSettings;
  readonly metrics: ServerMetrics;
  /** The metrics of the other serving threads of the process; undefined if this one is alone. */
  readonly otherThreads: OtherThreads | undefined;
  /**
   * Resolves when every CustomResourceDefinition that others have established is served here, too; undefined for a server
   * that is alone on its store.
   */
  readonly definitionsKnown: (() => Promise<void>) | undefined;
  readonly health: HealthChecks;
  /** Priority and fairness; undefined if disabled. */
  readonly flow: FlowServices | undefined;
  /** Reads and writes in flight in all serving threads, which limits apply to without flow control. */
  readonly inFlight?: Int32Array | undefined;
  /** What writes have to wait for; undefined for nothing. */
  readonly storageVersions: StorageVersionBarrier | undefined;
  /** Connections to kubelets, pods and services. */
  readonly backends: Backends;
  /** The group versions that other servers serve, and connections to those servers. */
  readonly apiServices: ApiServiceIndex;
  /** Discovery and OpenAPI documents of those servers, as last fetched. */
  readonly remoteDiscovery: RemoteDiscovery;
  readonly remoteOpenApi: RemoteOpenApi;
  readonly apiServiceRoutes: ApiServiceRoutes;
  /** Other servers on the same store that may serve what this one does not; undefined if they are not asked. */
  readonly peers: PeerRoutes | undefined;
  /** Content of componentstatuses. */
  readonly components: ComponentProbes;
  readonly settings: ApiSettings;
  readonly debug: DebugFacts;
  /** Begins the spans of calls to other servers; undefined if tracing is off. */
  readonly traceCall: TraceCall | undefined;
  /** Descriptions of types, if available. */
  readonly typeDescriptions: () => Promise<TypeDescriptions | undefined>;
  /** Origins whose scripts may use the API; undefined for none. */
  readonly origins: AllowedOrigins | undefined;
  /** Headers of every response; undefined for none. */
  readonly lastingHeaders: ResponseHeaders | undefined;
  /** The content of /version. */
  readonly version: VersionDocument;
  /** Aborted when the server begins to drain; watches then end cleanly. */
  readonly draining: AbortSignal;
  /** Rejects new requests during shutdown, if configured to. */
  readonly shutdown: ShutdownGate;
}

export interface ServiceAccountTokenSettings {
  readonly issuer: TokenIssuer;
  /** Keys that verify tokens. */
  readonly keys: TokenKeys;
  /** The URL at which the keys are published; '' for this server. */
  readonly keysUrl: string;
  /** The longest validity of a token, in seconds; 0 for no limit. */
  readonly maxExpirationSeconds: number;
  /** Whether and for how long tokens of pods are valid beyond the requested time; their later use is reported. */
  readonly extendsExpiration: boolean;
  readonly extendedSeconds: number;
  /** Audiences of tokens whose request names none: this server. */
  readonly audiences: readonly string[];
}

export interface ApiSettings {
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutMs: number;
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
  /** The probability that a request over HTTP/2 asks its client to reconnect. */
  readonly goawayChance: number;
  /** Whether the server rejects new watches during shutdown instead of ending them immediately. */
  readonly refusesWatches: boolean;
  readonly gzip: boolean;
  /** Whether request and response bodies may be CBOR. */
  readonly cbor: boolean;
  /** Whether that includes documents about groups. */
  readonly cborDocuments: boolean;
  /** Types of node addresses, in order of preference for reaching a kubelet. */
  readonly kubeletPreferredAddressTypes: readonly string[];
  /** Limit for each direction of an upgraded connection to a pod, node or service; 0 for none. */
  readonly maxConnectionBytesPerSec: number;
  /** Whether redirects of other API servers are withheld from clients. */
  readonly rejectsRedirects: boolean;
  /** External host and port of the server, for discovery. */
  readonly externalAddress: () => string;
}
