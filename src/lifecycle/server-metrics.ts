// The metrics of this server, with the names, labels, buckets and stability classes of kube-apiserver, so that
// dashboards and alerts for it keep working. External values are supplied as functions.

import type { Clock } from '../base/clock.ts';
import { declareAdmissionMetrics } from './admission-metrics.ts';
import { declareAggregatorMetrics } from './aggregator-metrics.ts';
import { declareAllocatorMetrics } from './allocator-metrics.ts';
import { declareAuditMetrics } from './audit-metrics.ts';
import { AuthorizationSeries, ImpersonationSeries } from './auth-series.ts';
import { declareAuthorizationMetrics } from './authorization-metrics.ts';
import { declareClientMetrics } from './client-metrics.ts';
import { collectMetrics, type MetricSources } from './collected-metrics.ts';
import { declareEgressMetrics } from './egress-metrics.ts';
import { declareEncryptionMetrics } from './encryption-metrics.ts';
import { declareFlowMetrics } from './flow-metrics.ts';
import { declareHandshakeMetrics } from './handshake-metrics.ts';
import { declareHealthMetrics } from './health-metrics.ts';
import { declareJwtMetrics } from './jwt-metrics.ts';
import {
  decisionSeconds,
  freshnessSeconds,
  initializationSeconds,
  remainingSeconds,
  requestSeconds,
  watchEventBytes,
  watchListSeconds,
} from './metric-bounds.ts';
import { MetricRegistry } from './metrics.ts';
import { declarePodLogMetrics } from './pod-log-metrics.ts';
import { declarePodStreamMetrics } from './pod-stream-metrics.ts';
import { declareRequestMetrics } from './request-metrics.ts';
import { declareRuntimeMetrics } from './runtime-metrics.ts';
import { declareTokenCacheMetrics } from './token-cache-metrics.ts';
import { declareTokenSignerMetrics } from './token-signer-metrics.ts';
import { declareValidationMetrics } from './validation-metrics.ts';
import { isSince } from './version.ts';
import { declareWorkQueueMetrics } from './work-queue-metrics.ts';

const resourceLabels = ['group', 'resource'] as const;

export type ServerMetrics = ReturnType<typeof declareServerMetrics>;

/** Declares all metrics of a server. */
export function declareServerMetrics(sources: MetricSources) {
  const { rules = { disabled: [], allowedLabels: {} }, gates, emulation } = sources;
  const nativeHistograms = gates.enabled('NativeHistograms');
  const registry = new MetricRegistry({ ...rules, nativeHistograms }, emulation.binary.minor);
  const metrics = {
    requests: declareRequestMetrics(registry, sources.clock),
    flow: declareFlowMetrics(registry, sources.clock),
    watches: declareWatchMetrics(registry),
    watchCache: declareWatchCacheMetrics(registry),
    storage: declareStorageMetrics(registry),
    auth: declareAuthMetrics(registry),
    admission: declareAdmissionMetrics(registry),
    allocators: declareAllocatorMetrics(registry),
    audit: declareAuditMetrics(registry),
    aggregator: declareAggregatorMetrics(registry),
    podLogs: declarePodLogMetrics(registry),
    podStreams: declarePodStreamMetrics(registry),
    /** Of outgoing calls. */
    client: declareClientMetrics(registry),
    /** Those of health checks, which have a path of their own. */
    health: declareHealthMetrics(() => sources.process().startSeconds),
    handshakes: declareHandshakeMetrics(registry),
    egress: declareEgressMetrics(registry),
    encryption: declareEncryptionMetrics(registry, sources.clock),
    runtime: declareRuntimeMetrics(registry),
    queues: declareWorkQueueMetrics(registry),
    validation: declareValidationMetrics(registry),
    /** Everything in Prometheus' text format. */
    text: (withNative?: boolean) => registry.text(withNative),
    /** The same metric by metric. */
    parts: (withNative?: boolean) => registry.parts(withNative),
    /** The names of those that the serving threads of a process share. */
    shared: () => registry.shared(),
    /** The declared metrics. */
    declared: () => registry.declared(),
    /** Resets counters and histograms. */
    reset: () => registry.reset(),
  };
  collectMetrics(registry, sources);
  return metrics;
}

/** Releases before 1.34 label the kind of the objects, later ones the resource. */
const EVENT_LABELS = ['group', 'version', 'kind', 'resource'] as const;

function declareWatchMetrics(registry: MetricRegistry) {
  return {
    events: registry.counter({
      name: 'apiserver_watch_events_total',
      help: 'Events sent to watchers.',
      stability: 'ALPHA',
      labels: EVENT_LABELS,
    }),
    eventSizes: registry.histogram(
      {
        name: 'apiserver_watch_events_sizes',
        help: 'Size of events sent to watchers in bytes.',
        stability: 'ALPHA',
        labels: EVENT_LABELS,
      },
      watchEventBytes,
    ),
    initialEvents: registry.counter({
      name: 'apiserver_init_events_total',
      help: 'Initial events sent to watchers.',
      stability: 'ALPHA',
      labels: resourceLabels,
    }),
    listDuration: registry.histogram(
      {
        name: 'apiserver_watch_list_duration_seconds',
        help: 'Time from the start of a watch to the end of its initial events, in seconds.',
        stability: 'ALPHA',
        labels: ['group', 'version', 'resource', 'scope'],
      },
      watchListSeconds,
    ),
  };
}

function declareWatchCacheMetrics(registry: MetricRegistry) {
  const counter = (name: string, help: string) =>
    registry.counter({ name, help, stability: 'ALPHA', labels: resourceLabels });
  return {
    initializations: counter('apiserver_watch_cache_initializations_total', 'Initializations of the watch cache.'),
    initializationErrors: counter(
      'apiserver_watch_cache_initialization_errors_total',
      'Failed initializations of the watch cache.',
    ),
    initializationDuration: registry.histogram(
      {
        name: 'apiserver_watch_cache_initialization_duration_seconds',
        help: 'Time that the initialization of the watch cache took in seconds.',
        stability: 'ALPHA',
        labels: resourceLabels,
      },
      initializationSeconds,
    ),
    lists: registry.counter({
      name: 'apiserver_cache_list_total',
      help: 'Lists served by the watch cache.',
      stability: 'ALPHA',
      labels: [...resourceLabels, 'index'],
    }),
    consistentReads: registry.counter({
      name: 'apiserver_watch_cache_consistent_read_total',
      help: 'Consistent reads served by the watch cache.',
      stability: 'ALPHA',
      labels: [...resourceLabels, 'success', 'fallback'],
    }),
    checks: registry.counter({
      name: 'apiserver_storage_consistency_checks_total',
      help: 'Comparisons of the watch cache with etcd; the status is success, failure if they differ, or error.',
      stability: 'ALPHA',
      labels: [...resourceLabels, 'status'],
    }),
    readWait: registry.histogram(
      {
        name: 'apiserver_watch_cache_read_wait_seconds',
        help: 'Time that reads waited for the watch cache to reach a version, in seconds.',
        stability: 'ALPHA',
        labels: resourceLabels,
      },
      freshnessSeconds,
    ),
  };
}

export type StorageMetrics = ReturnType<typeof declareStorageMetrics>;
export type WatchCacheMetrics = ReturnType<typeof declareWatchCacheMetrics>;

/** The release from which on lists are counted together, whether the store or the watch cache serves them. */
const LISTS_TOGETHER_SINCE = 37;

function declareStorageMetrics(registry: MetricRegistry) {
  const labels = ['operation', ...resourceLabels] as const;
  const lists = <Label extends string>(name: string, help: string, more: readonly Label[]) =>
    registry.counter({
      name: `apiserver_storage_list_${name}total`,
      help,
      stability: 'ALPHA',
      labels: [...resourceLabels, ...more],
    });
  return {
    lists: lists('', 'Lists from the store: one for each initialization of a cache.', ['index', 'storage']),
    listsFetched: lists('fetched_objects_', 'Objects that lists from the store fetched.', ['index', 'storage']),
    listsEvaluated: lists('evaluated_objects_', 'Objects that lists from the store evaluated.', ['storage']),
    listsReturned: lists('returned_objects_', 'Objects that lists from the store returned.', ['storage']),
    /** Whether the same metrics count the lists that the watch cache serves. */
    countsCacheLists: isSince(registry, LISTS_TOGETHER_SINCE),
    listDuration: registry.histogram(
      {
        name: 'apiserver_storage_list_duration_seconds',
        help: 'Latency of lists from the store in seconds; none is streamed.',
        stability: 'ALPHA',
        labels: [...resourceLabels, 'streamed'],
      },
      requestSeconds,
    ),
    requests: registry.counter({
      name: 'etcd_requests_total',
      help: 'Calls to the store, whichever it is.',
      stability: 'ALPHA',
      labels,
    }),
    duration: registry.histogram(
      {
        name: 'etcd_request_duration_seconds',
        help: 'Latency of calls to the store in seconds, whichever it is; for writes until they are durable.',
        stability: 'ALPHA',
        labels,
      },
      requestSeconds,
    ),
  };
}

export type AuthMetrics = ReturnType<typeof declareAuthMetrics>;

/** @internal */
export function declareAuthMetrics(registry: MetricRegistry) {
  const counter = <Label extends string>(name: string, help: string, label: Label) =>
    registry.counter({ name, help, stability: 'ALPHA', labels: [label] });
  const duration = (name: string, help: string) =>
    registry.histogram({ name, help, stability: 'ALPHA', labels: ['result'] }, decisionSeconds);
  return {
    users: counter('authenticated_user_requests', 'Authenticated requests, by username.', 'username'),
    authentications: counter('authentication_attempts', 'Attempts to authenticate a request.', 'result'),
    authenticationDuration: duration('authentication_duration_seconds', 'Latency of authentication in seconds.'),
    /** Called for each authorization decision on a request. */
    authorizations: new AuthorizationSeries({
      attempts: counter('authorization_attempts_total', 'Attempts to authorize a request.', 'result'),
      duration: duration('authorization_duration_seconds', 'Latency of authorization in seconds.'),
    }),
    decisions: registry.counter({
      name: 'apiserver_authorization_decisions_total',
      help: 'Final authorization decisions, by authorizer.',
      stability: 'ALPHA',
      labels: ['type', 'name', 'decision'],
    }),
    /** Those of constrained impersonation, declared if its gate is on. */
    impersonations: () => declareImpersonationMetrics(registry),
    tokenUses: declareTokenUses(registry),
    tokenCache: declareTokenCacheMetrics(registry),
    certificateExpiration: declareCertificateExpiration(registry),
    /** Those of authorization webhooks and of a configuration file, declared if there are any. */
    webhooks: () => declareAuthorizationMetrics(registry),
    /** Those of JWT issuers, declared if there are any. @param hashOf returns the hash of a text, as `sha256:…` */
    tokenSigner: (clock: Clock) => declareTokenSignerMetrics(registry, clock),
    jwt: (hashOf: (text: string) => string) => declareJwtMetrics(registry, hashOf),
  };
}

function declareImpersonationMetrics(registry: MetricRegistry): ImpersonationSeries {
  const labels = ['mode', 'decision'] as const;
  const family = (name: string, help: string) => ({ name: `apiserver_impersonation_${name}`, help, labels });
  const counter = (name: string, help: string) => registry.counter({ ...family(name, help), stability: 'ALPHA' });
  const duration = (name: string, help: string) =>
    registry.histogram({ ...family(name, help), stability: 'ALPHA' }, decisionSeconds);
  return new ImpersonationSeries({
    attempts: counter('attempts_total', 'Attempts to impersonate a user, by mode and decision.'),
    attemptSeconds: duration('attempts_duration_seconds', 'Latency of these attempts in seconds.'),
    questions: counter('authorization_attempts_total', 'Authorization checks of impersonation, by mode and decision.'),
    questionSeconds: duration('authorization_attempts_duration_seconds', 'Latency of these checks in seconds.'),
  });
}

/** The remaining validity of client certificates that authenticate requests. */
function declareCertificateExpiration(registry: MetricRegistry) {
  const name = 'apiserver_client_certificate_expiration_seconds';
  const help = 'Remaining validity of client certificates that authenticated requests, in seconds.';
  return registry.histogram({ name, help, stability: 'ALPHA' }, remainingSeconds).with({});
}

/** Uses of legacy and stale service account tokens. */
function declareTokenUses(registry: MetricRegistry) {
  const uses = (name: string, help: string) =>
    registry.counter({ name: `serviceaccount_${name}`, help, stability: 'ALPHA', labels: [] }).with({});
  return {
    legacyAuto: uses('legacy_auto_token_uses_total', 'Uses of auto-generated legacy service account tokens.'),
    legacyManual: uses('legacy_manual_token_uses_total', 'Uses of manually created legacy service account tokens.'),
    legacy: uses('legacy_tokens_total', 'Uses of legacy service account tokens.'),
    legacyInvalid: uses('invalid_legacy_auto_token_uses_total', 'Uses of invalidated legacy service account tokens.'),
    valid: uses('valid_tokens_total', 'Uses of service account tokens before their requested expiry.'),
    stale: uses('stale_tokens_total', 'Uses of service account tokens after their requested expiry.'),
  };
}
