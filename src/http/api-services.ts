// Services of the HTTP layer: the parts of a running server, put together by the composition root.

import type { ApiServiceIndex } from '../aggregator/api-service-index.ts';
import type { RemoteDiscovery } from '../aggregator/remote-discovery.ts';
import type { RemoteOpenApi } from '../aggregator/remote-openapi.ts';
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
import type { ShortTurns } from '../base/short-turns.ts';
import type { ServerMetrics } from '../lifecycle/server-metrics.ts';
import type { VersionDocument } from '../lifecycle/version.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { TypeDescriptions } from '../resources/openapi/type-descriptions.ts';
import type { ComponentProbes } from '../verbs/component-statuses.ts';
import type { StorageVersionBarrier } from '../verbs/storage-version-barrier.ts';
import type { WriteContext } from '../verbs/write.ts';
import type { AllowedOrigins } from './allowed-origins.ts';
import type { ApiServiceRoutes } from './api-service-proxy.ts';
import type { Backends } from './backends.ts';
import type { DebugFacts } from './debug-pages.ts';
import type { FairnessOptions } from './fairness.ts';
import type { HealthChecks } from './health.ts';
import type { RequestHooks } from './request-hooks.ts';
import type { RequestTracing } from './request-tracing.ts';
import type { ShutdownGate } from './shutdown-gate.ts';
import type { ResponseHeaders } from './transport.ts';

export interface ApiServices {
  readonly clock: Clock;
  readonly random: Random;
  /** What long answers are made in, so that others have their turn meanwhile. */
  readonly turns: ShortTurns;
  readonly log: Log;
  readonly catalog: Catalog;
  /** What verbs work with. */
  readonly writes: WriteContext;
  /** Undefined where nothing is recorded. */
  readonly auditor: Auditor | undefined;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** What a user may do in a namespace, as far as that can be listed. */
  readonly rulesFor: (user: User, namespace: string) => UserRules;
  readonly serviceAccountTokens: ServiceAccountTokenSettings;
  readonly metrics: ServerMetrics;
  readonly health: HealthChecks;
  /** Priority and fairness; undefined where they are switched off. */
  readonly flow: Pick<FairnessOptions, 'controller' | 'statsOf' | 'utilization'> | undefined;
  /** What writes wait for; undefined where they wait for nothing. */
  readonly storageVersions: StorageVersionBarrier | undefined;
  /** The way to kubelets, pods and services. */
  readonly backends: Backends;
  /** Which versions of groups other servers serve, and the way there. */
  readonly apiServices: ApiServiceIndex;
  /** What those servers say of themselves, as it was last read. */
  readonly remoteDiscovery: RemoteDiscovery;
  readonly remoteOpenApi: RemoteOpenApi;
  readonly apiServiceRoutes: ApiServiceRoutes;
  /** What componentstatuses tells of. */
  readonly components: ComponentProbes;
  readonly settings: ApiSettings;
  readonly debug: DebugFacts;
  /** Undefined where no traces are wanted. */
  readonly tracing: RequestTracing | undefined;
  /** What types are for, in words, where that is known here. */
  readonly typeDescriptions: () => Promise<TypeDescriptions | undefined>;
  /** Origins whose scripts may use the API; undefined where there are none. */
  readonly origins: AllowedOrigins | undefined;
  /** Headers of all answers; undefined where there are none. */
  readonly lastingHeaders: ResponseHeaders | undefined;
  /** What /version answers. */
  readonly version: VersionDocument;
  /** Aborted when the server begins to drain: watches end cleanly then. */
  readonly draining: AbortSignal;
  /** Of tests; undefined where there are none. */
  readonly hooks: RequestHooks | undefined;
  /** Turns new requests away while the server stops, where it is told to. */
  readonly shutdown: ShutdownGate;
}

export interface ServiceAccountTokenSettings {
  readonly issuer: TokenIssuer;
  /** Keys that verify tokens. */
  readonly keys: TokenKeys;
  /** Where the keys are said to be; '' for this server. */
  readonly keysUrl: string;
  /** The longest that a token may last, in seconds; 0 for no bound. */
  readonly maxExpirationSeconds: number;
  /** Whether tokens of pods last longer than asked for, late uses of which are told of, and how long. */
  readonly extendsExpiration: boolean;
  readonly extendedSeconds: number;
  /** Of tokens whose request names none: this server. */
  readonly audiences: readonly string[];
}

export interface ApiSettings {
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutMs: number;
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
  /** The chance that a request over HTTP/2 makes its client connect anew. */
  readonly goawayChance: number;
  /** Whether a server that stops refuses new watches, rather than ending them at once. */
  readonly refusesWatches: boolean;
  readonly gzip: boolean;
  /** Whether bodies and answers may be CBOR. */
  readonly cbor: boolean;
  /** Types of a node's addresses, the one to reach its kubelet by first. */
  readonly kubeletPreferredAddressTypes: readonly string[];
  /** Of each direction of a connection to a pod, a node or a service that has left HTTP; 0 for no bound. */
  readonly maxConnectionBytesPerSec: number;
  /** Whether redirects of other API servers are kept from clients. */
  readonly rejectsRedirects: boolean;
  /** Where clients outside reach the server: host and port, for discovery. */
  readonly externalAddress: () => string;
}
