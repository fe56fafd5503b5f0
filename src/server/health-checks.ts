// The health checks of a server: liveness and readiness.

import { lookup } from '../base/lookup.ts';
import {
  type HealthCheck,
  type HealthCheckMetrics,
  HealthChecks,
  type HealthEndpoint,
} from '../http/documents/health-checks.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import { isSince, type KubernetesRelease } from '../lifecycle/version.ts';
import type { Storage } from './storage.ts';

interface HealthSources {
  readonly storage: Pick<Storage, 'checks'>;
  readonly encryption:
    | {
        readonly reloads: boolean;
        readonly hasChecks: boolean;
        check(): Promise<string | undefined>;
        checks(): readonly (() => Promise<string | undefined>)[] | undefined;
      }
    | undefined;
  /** Whether all startup work before the first request is done. */
  readonly isReady: () => boolean;
  readonly isDraining: () => boolean;
  /** Whether the server has published its storage versions, if it does so. */
  readonly hasToldStorage: () => boolean;
  /** Whether priority and fairness is enabled. */
  readonly fairness: boolean;
  /** Whether the client certificate for other API servers is in files. */
  readonly showsCertificate: boolean;
  /** Whether it forwards requests to other API servers. */
  readonly hasPeers: boolean;
  readonly gateEnabled: (gate: FeatureGateName) => boolean;
  /** The release whose checks it has. */
  readonly release: KubernetesRelease;
  readonly metrics: HealthCheckMetrics;
}

const ALL: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];
const READYZ: readonly HealthEndpoint[] = ['readyz'];
const LIVE: readonly HealthEndpoint[] = ['healthz', 'livez'];

/** The first release that checks the certificate with which it calls itself. Calls within the process need none. */
const FIRST_WITH_LOOPBACK_CHECK = 36;

const RELOAD_PROXY_HOOK = 'aggregator-reload-proxy-client-cert';

/** The hook that replaces those of priority and fairness. */
const PLAIN_LIMITS_HOOK = 'max-in-flight-filter';

/** The only hook whose work is not done before the server listens. */
const STORAGE_HOOK = 'built-in-resources-storage-version-updater';

const ELECTION_HOOK = 'start-kube-apiserver-coordinated-leader-election-controller';

/** Hooks of a server that forwards requests to others, by the first minor release that has them. */
const PEER_HOOKS: readonly { readonly since: number; readonly hooks: readonly string[] }[] = [
  { since: 36, hooks: ['mixed-version-proxy-handler', 'local-discovery-cache-sync', 'peer-discovery-workers'] },
  {
    since: 35,
    hooks: [
      'mixed-version-proxy-handler',
      'local-discovery-cache-sync',
      'peer-discovery-cache-sync',
      'gv-deletion-workers',
      'excluded-groups-reaper',
    ],
  },
  { since: 33, hooks: ['local-discovery-cache-sync', 'peer-discovery-cache-sync', 'mixed-version-proxy-handler'] },
  { since: 28, hooks: ['unknown-version-proxy-filter'] },
];

/** The hook behind which those of peers come. */
const PEERS_HOOK = 'peer-endpoint-reconciler-controller';

/** Hooks of kube-apiserver that run after it starts to listen. Here all of that is done before. */
const HOOKS = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  PLAIN_LIMITS_HOOK,
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  ELECTION_HOOK,
  PEERS_HOOK,
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  RELOAD_PROXY_HOOK,
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  STORAGE_HOOK,
  'kube-apiserver-autoregistration',
];
/** Hooks that had another name, or were one, before a minor release. */
const EARLIER_HOOKS: readonly { readonly before: number; readonly name: string; readonly hooks: readonly string[] }[] =
  [
    {
      before: 30,
      name: 'start-kube-apiserver-admission-initializer',
      hooks: ['start-apiserver-admission-initializer'],
    },
    {
      before: 31,
      name: 'apiservice-status-available-controller',
      hooks: ['apiservice-status-local-available-controller', 'apiservice-status-remote-available-controller'],
    },
  ];

/** The hooks of a minor release of Kubernetes 1, with or without those of a server that forwards requests to others. */
function hooksIn(minor: number, hasPeers: boolean): string[] {
  const ofPeers = PEER_HOOKS.find(({ since }) => isSince({ minor }, since));
  const more = (hasPeers && ofPeers?.hooks) || [];
  const earlier = EARLIER_HOOKS.filter(({ before }) => !isSince({ minor }, before));
  return HOOKS.flatMap((hook) => {
    const was = earlier.find(({ hooks }) => hooks.includes(hook));
    if (was === undefined) return hook === PEERS_HOOK ? [hook, ...more] : [hook];
    return was.hooks[0] === hook ? [was.name] : [];
  });
}

const LAST_HOOKS = ['apiservice-openapi-controller', 'apiservice-openapiv3-controller'];
const FAIRNESS_HOOKS = new Set(['priority-and-fairness-config-consumer', 'priority-and-fairness-filter']);

/** Hooks that only exist if all of these gates are enabled. */
const GATED_HOOKS: Readonly<Record<string, readonly FeatureGateName[]>> = lookup({
  [ELECTION_HOOK]: ['CoordinatedLeaderElection'],
  [PEERS_HOOK]: ['UnknownVersionInteroperabilityProxy'],
  'start-kube-apiserver-identity-lease-controller': ['APIServerIdentity'],
  'start-kube-apiserver-identity-lease-garbage-collector': ['APIServerIdentity'],
  'start-kubernetes-service-cidr-controller': ['MultiCIDRServiceAllocator'],
  'storage-readiness': ['WatchCacheInitializationPostStartHook'],
  [STORAGE_HOOK]: ['StorageVersionAPI', 'APIServerIdentity'],
});

const RELOAD_HOOK = 'poststarthook/start-encryption-provider-config-automatic-reload';

/** Checks of KMS plugins: a single one, because they may change, or one for each if one is of version 1. */
function* encryptionChecks(encryption: HealthSources['encryption']): Iterable<HealthCheck> {
  if (encryption === undefined || !encryption.hasChecks) return;
  const endpoints = ['healthz', 'readyz'] as const;
  const checks = encryption.checks();
  if (checks === undefined) yield { name: 'kms-providers', endpoints, check: () => encryption.check() };
  for (const [index, check] of (checks ?? []).entries()) yield { name: `kms-provider-${index}`, endpoints, check };
  if (encryption.reloads) yield { name: RELOAD_HOOK, endpoints: ALL, check: () => undefined };
}

/** Names and order are kube-apiserver's, because probes and people refer to them. */
export function healthChecks({
  storage,
  encryption,
  isReady,
  isDraining,
  hasToldStorage,
  fairness,
  showsCertificate,
  hasPeers,
  gateEnabled,
  release,
  metrics,
}: HealthSources): HealthChecks {
  const well = () => undefined;
  const isOn = (name: string) =>
    (fairness ? name !== PLAIN_LIMITS_HOOK : !FAIRNESS_HOOKS.has(name)) &&
    (showsCertificate || name !== RELOAD_PROXY_HOOK) &&
    (GATED_HOOKS[name] ?? []).every(gateEnabled);
  const started = () => (isReady() ? undefined : 'not finished');
  const told = () => (hasToldStorage() ? started() : 'not finished');
  const hook = (name: string): HealthCheck => ({
    name: `poststarthook/${name}`,
    endpoints: ALL,
    check: name === STORAGE_HOOK ? told : started,
  });
  const loopback: HealthCheck = { name: 'loopback-serving-certificate', endpoints: LIVE, check: well };
  const checks: HealthCheck[] = [
    { name: 'ping', endpoints: ALL, check: well },
    { name: 'log', endpoints: ALL, check: well },
    ...(isSince(release, FIRST_WITH_LOOPBACK_CHECK) ? [loopback] : []),
    ...storage.checks,
    { name: 'informer-sync', endpoints: READYZ, check: started },
    ...encryptionChecks(encryption),
    ...hooksIn(release.minor, hasPeers).filter(isOn).map(hook),
    { name: 'autoregister-completion', endpoints: ALL, check: started },
    ...LAST_HOOKS.map(hook),
    {
      name: 'shutdown',
      endpoints: READYZ,
      check: () => (isDraining() ? 'process is shutting down' : undefined),
    },
  ];
  return new HealthChecks(checks, metrics);
}
