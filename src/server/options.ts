// Options of a server as plain data: defaults and validation. Opens no file or port.

import { isIP } from 'node:net';
import { errorList } from '../base/error-list.ts';
import { CLUSTER_CONTROLLERS, CONTROLLERS, unknownControllers } from '../controllers/controller-names.ts';
import { type AdmissionOptions, admissionProblems, defaultAdmissionOptions } from './options/admission.ts';
import { type AggregationOptions, aggregationProblem, defaultAggregationOptions } from './options/aggregation.ts';
import {
  enablementProblems,
  fairnessConflicts,
  forwardProblems,
  gateProblems,
  releaseProblems,
  versionProblem,
} from './options/apis.ts';
import { type AuditOptions, auditProblems, defaultAuditOptions } from './options/audit.ts';
import {
  type AuthenticationOptions,
  authenticationProblems,
  defaultAuthenticationOptions,
  signingProblems,
  tokenLifetimeProblem,
  tokenRequestProblems,
} from './options/authentication.ts';
import {
  type AuthorizationOptions,
  authorizationProblems,
  defaultAuthorizationOptions,
} from './options/authorization.ts';
import { type ClusterOptions, clusterProblems, defaultClusterOptions } from './options/cluster.ts';
import { type CoordinationOptions, coordinationProblems, defaultCoordinationOptions } from './options/coordination.ts';
import { type DebuggingOptions, defaultDebuggingOptions } from './options/debugging.ts';
import { defaultEncryptionOptions, type EncryptionOptions, encryptionOptionProblems } from './options/encryption.ts';
import {
  defaultEtcdOptions,
  type EtcdOptions,
  etcdClientProblem,
  etcdProblems,
  serverCountProblems,
} from './options/etcd.ts';
import { defaultLogOptions, type LogOptions, logProblems } from './options/logs.ts';
import { defaultMetricOptions, type MetricOptions, metricProblems } from './options/metrics.ts';
import {
  defaultOverloadOptions,
  type OverloadOptions,
  requestLimitProblems,
  seatsProblem,
} from './options/overload.ts';
import { defaultPeerOptions, type PeerOptions, peerCertificateProblem, peerProblems } from './options/peers.ts';
import {
  defaultSecureServingOptions,
  type SecureServingOptions,
  secureServingProblem,
  tlsSanProblems,
} from './options/secure-serving.ts';
import { clusterIpProblems, isPort, ownPortProblems, type PortRange, serviceRangeProblem } from './options/services.ts';
import { defaultThreadOptions, type ThreadOptions, threadProblems } from './options/threads.ts';
import { type UnusedFlags, unusedFlagDefaults, watchCacheSizeProblem } from './options/unused-flags.ts';
import { defaultWebOptions, type WebOptions, webProblems } from './options/web.ts';

// Re-exports of lower layers for the command line.
export { EmulatedVersionError, parseKubernetesVersion, unknownRelease } from '../lifecycle/emulated-version.ts';
export { FeatureGateError, featureGateHelp, parseBool, parseFeatureGates } from '../lifecycle/feature-gates.ts';
export { isSince, RELEASES, reportedVersionProblem, versionFacts, versionLine } from '../lifecycle/version.ts';
export type { PortRange } from './options/services.ts';
export { servingThreads } from './options/threads.ts';
export { versionText } from './version-text.ts';

type StoreKind = 'memory' | 'embedded';

export interface ServerOptions
  extends EtcdOptions,
    OverloadOptions,
    MetricOptions,
    AuditOptions,
    EncryptionOptions,
    AuthenticationOptions,
    AggregationOptions,
    PeerOptions,
    AdmissionOptions,
    AuthorizationOptions,
    SecureServingOptions,
    WebOptions,
    LogOptions,
    DebuggingOptions,
    CoordinationOptions,
    ThreadOptions,
    ClusterOptions {
  /** The port of the HTTPS listener; 0 selects a free one. */
  readonly securePort: number;
  /** The address to listen on; `0.0.0.0` or `::` for all. */
  readonly bindAddress: string;
  /** The advertised address; undefined for the listening address. */
  readonly advertiseAddress: string | undefined;
  /** PEM files of the server's certificate and key; by default the server creates its own. */
  readonly tlsCertFile: string | undefined;
  /** A folder with `apiserver.crt` and `apiserver.key`, used if no other pair is configured. */
  readonly certDir: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  /** CA bundle (PEM file) for verifying client certificates. */
  readonly clientCaFile: string | undefined;
  /** CSV file of tokens: token, username, UID, groups. */
  readonly tokenAuthFile: string | undefined;
  /** PEM files: the CA for kubelets, and the client certificate for them; without a CA, kubelets are not verified. */
  readonly kubeletCertificateAuthority: string | undefined;
  readonly kubeletClientCertificate: string | undefined;
  readonly kubeletClientKey: string | undefined;
  /** Types of node addresses, in order of preference for reaching a kubelet. */
  readonly kubeletPreferredAddressTypes: readonly string[];
  readonly anonymousAuth: boolean;
  /** PEM file of the signing key; undefined for one that the server creates and stores. */
  readonly serviceAccountSigningKeyFile: string | undefined;
  /** Audiences that the server accepts in tokens; by default the issuer. */
  readonly apiAudiences: readonly string[];
  /** One CIDR, or two of different families separated by a comma. */
  readonly serviceClusterIpRange: string;
  /** First and last port, inclusive. */
  readonly serviceNodePortRange: PortRange;
  /** The node port of the `kubernetes` service; 0 for none. */
  readonly kubernetesServiceNodePort: number;
  /** Whether dependents of deleted objects are garbage collected, and deletions can wait for that. */
  readonly enableGarbageCollector: boolean;
  /** The version reported by /version instead of the server's own; '' for none. */
  readonly reportedVersion: string;
  /** API versions and resources to enable or disable, such as `apps/v1` or `api/all`; the value '' means true. */
  readonly runtimeConfig: Readonly<Record<string, string>>;
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** The release of Kubernetes whose behavior the server has: `1.37` or `1.37.2`; empty for the default one. */
  readonly kubernetesVersion: string;
  /** The Kubernetes version that this release emulates: `1.33` or `kube=1.33`; empty for its own. */
  readonly emulatedVersion: readonly string[];
  /** The oldest version of other servers in the cluster, from 1.35 on: `1.34` or `kube=1.34`; empty for the previous one. */
  readonly minCompatibilityVersion: readonly string[];
  /** Serve newer versions of served APIs, even if introduced after the emulated version. */
  readonly emulationForwardCompatible: boolean;
  /** Serve what runtimeConfig names, even if introduced after the emulated version. */
  readonly runtimeConfigEmulationForwardCompatible: boolean;
  /** Serve the API versions that the emulated release is the first without. */
  readonly serveRemovedApisForOneRelease: boolean;
  /** Whether reads at version 0 may be older than the store. */
  readonly watchCache: boolean;
  /** Whether privileged containers are allowed. */
  readonly allowPrivileged: boolean;
  /** Timeout of requests that are not long-running. */
  readonly requestTimeoutMs: number;
  /** Watches without a timeout end after this time at the earliest, and twice this time at the latest. */
  readonly minRequestTimeoutSeconds: number;
  /** Maximum number of concurrent requests before 429; 0 for no limit. */
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
  /**
   * Built-in controllers to run: `*` for all that are enabled by default, `-*` for only those that
   * kube-controller-manager does not have, `name`, `-name`; '' for none.
   */
  readonly controllers: string;
  /** How long events are kept. */
  readonly eventTtlMs: number;
  /** How long the server still accepts requests during shutdown, while it is no longer ready. */
  readonly shutdownDelayMs: number;
  /** The folder for everything that must outlive the process. */
  readonly dataDir: string;
  /** Whether the console's page is served too. */
  readonly console: boolean;
  readonly store: StoreKind;
  /** Options that were set explicitly: some can only be set together with others, whatever their value. */
  readonly givenOptions?: readonly string[];
  /** Flags of kube-apiserver that have no effect here, but are validated; those that are not given have its defaults. */
  readonly unusedFlags?: Partial<UnusedFlags>;
}

export const DEFAULT_SECURE_PORT = 6443;

/** kube-apiserver's defaults where it has the option, except that only this machine can connect by default. */
export const defaultServerOptions: ServerOptions = {
  ...defaultEtcdOptions,
  ...defaultOverloadOptions,
  ...defaultMetricOptions,
  ...defaultAuditOptions,
  ...defaultEncryptionOptions,
  ...defaultAuthenticationOptions,
  ...defaultAggregationOptions,
  ...defaultPeerOptions,
  ...defaultAdmissionOptions,
  ...defaultAuthorizationOptions,
  ...defaultSecureServingOptions,
  ...defaultWebOptions,
  ...defaultLogOptions,
  ...defaultDebuggingOptions,
  ...defaultCoordinationOptions,
  ...defaultClusterOptions,
  ...defaultThreadOptions,
  securePort: DEFAULT_SECURE_PORT,
  bindAddress: '127.0.0.1',
  advertiseAddress: undefined,
  tlsCertFile: undefined,
  certDir: undefined,
  tlsPrivateKeyFile: undefined,
  clientCaFile: undefined,
  tokenAuthFile: undefined,
  kubeletCertificateAuthority: undefined,
  kubeletClientCertificate: undefined,
  kubeletClientKey: undefined,
  kubeletPreferredAddressTypes: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
  anonymousAuth: true,
  serviceAccountSigningKeyFile: undefined,
  apiAudiences: [],
  serviceClusterIpRange: '10.0.0.0/24',
  serviceNodePortRange: { first: 30_000, last: 32_767 },
  kubernetesServiceNodePort: 0,
  enableGarbageCollector: true,
  reportedVersion: '',
  runtimeConfig: {},
  featureGates: {},
  kubernetesVersion: '',
  emulatedVersion: [],
  minCompatibilityVersion: [],
  emulationForwardCompatible: false,
  runtimeConfigEmulationForwardCompatible: false,
  serveRemovedApisForOneRelease: false,
  watchCache: true,
  // Clusters that run privileged pods set this in kube-apiserver too: every cluster installer does.
  allowPrivileged: true,
  requestTimeoutMs: 60_000,
  minRequestTimeoutSeconds: 1800,
  maxRequestsInFlight: 400,
  maxMutatingRequestsInFlight: 200,
  controllers: '*',
  eventTtlMs: 60 * 60_000,
  shutdownDelayMs: 0,
  dataDir: './keelson-data',
  console: false,
  store: 'embedded',
};

/** Invalid options; the message lists each error. */
export class InvalidOptionsError extends Error {
  override name = 'InvalidOptionsError';
}

/** The given options with defaults for all others. Throws InvalidOptionsError. */
export function serverOptions(given: Partial<ServerOptions> = {}): ServerOptions {
  const options = { ...defaultServerOptions, ...given };
  const known = { ...defaultServerOptions, givenOptions: [], unusedFlags: {} };
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  const problems = [...unknown.map((name) => `there is no option ${name}`), ...optionProblems(options)];
  if (problems.length > 0) throw new InvalidOptionsError(errorList(problems));
  return options;
}

/** Whether an option was set: to a value other than its default, or explicitly by a flag. */
export function isGiven(options: ServerOptions, name: keyof ServerOptions): boolean {
  const [own, usual] = [options[name], defaultServerOptions[name]].map((value) => JSON.stringify(value));
  return own !== usual || options.givenOptions?.includes(name) === true;
}

/**
 * The errors in the options, one short text each that names the flag. As in kube-apiserver, options are validated in
 * steps, and the first step with an error ends it: versions and gates, logs, completion, validation, which reports all
 * of its errors in a fixed order, and configuration.
 */
export function optionProblems(options: ServerOptions): string[] {
  const unused = { ...unusedFlagDefaults, ...options.unusedFlags };
  const steps: (() => readonly (string | undefined)[])[] = [
    () => [versionProblem(options)],
    () => logProblems(options, unused),
    () => [completionProblem(options, unused)],
    () => validationProblems(options, unused),
    () => [configurationProblem(options)],
  ];
  for (const step of steps) {
    const problems = step().filter((problem) => problem !== undefined);
    if (problems.length > 0) return problems;
  }
  return [];
}

function completionProblem(options: ServerOptions, unused: UnusedFlags): string | undefined {
  return serviceRangeProblem(options) ?? tokenLifetimeProblem(options) ?? watchCacheSizeProblem(unused);
}

function validationProblems(options: ServerOptions, unused: UnusedFlags): string[] {
  return [
    ...requestLimitProblems(options, unused),
    ...webProblems(options),
    ...releaseProblems(options),
    ...forwardProblems(options),
    ...etcdProblems(options),
    ...encryptionOptionProblems(options),
    ...fairnessConflicts(options),
    ...listenerProblems(options),
    ...authenticationProblems(options),
    ...authorizationProblems(options),
    ...auditProblems(options),
    ...admissionProblems(options),
    ...enablementProblems(options),
    ...tokenRequestProblems(options),
    ...metricProblems(options),
    ...peerProblems(options),
    ...gateProblems(options),
    ...signingProblems(options),
    ...coordinationProblems(options),
    ...clusterIpProblems(options),
    ...ownPortProblems(options),
    ...serverCountProblems(options),
    // kube-apiserver does not have the next ones.
    ...limitProblems(options),
    ...controllerProblems(options),
    ...clusterProblems(options),
    ...threadProblems(options),
    ...storageProblems(options),
  ];
}

function configurationProblem(options: ServerOptions): string | undefined {
  return (
    secureServingProblem(options) ??
    seatsProblem(options) ??
    kubeletProblem(options) ??
    aggregationProblem(options) ??
    peerCertificateProblem(options) ??
    etcdClientProblem(options)
  );
}

function kubeletProblem({ kubeletClientCertificate, kubeletClientKey }: ServerOptions): string | undefined {
  if ((kubeletClientCertificate === undefined) === (kubeletClientKey === undefined)) return undefined;
  return '--kubelet-client-certificate and --kubelet-client-key must be given together';
}

function listenerProblems(options: ServerOptions): string[] {
  const problems: string[] = [];
  if (!isPort(options.securePort)) {
    problems.push(`--secure-port ${options.securePort} must be between 0 and 65535, inclusive; 0 takes any free port`);
  }
  if (isIP(options.bindAddress) === 0) problems.push(`--bind-address ${options.bindAddress} is not an IP address`);
  const { advertiseAddress } = options;
  if (advertiseAddress !== undefined && isIP(advertiseAddress) === 0) {
    problems.push(`--advertise-address ${advertiseAddress} is not an IP address`);
  }
  problems.push(...tlsSanProblems(options));
  return problems;
}

/** Negative values that kube-apiserver does not refuse, though it does not work with them. */
function limitProblems(options: ServerOptions): string[] {
  const limits: [flag: string, value: number][] = [
    ['--event-ttl', options.eventTtlMs],
    ['--etcd-compaction-interval', options.etcdCompactionIntervalMs],
    ['--etcd-healthcheck-timeout', options.etcdHealthcheckTimeoutMs],
    ['--etcd-readycheck-timeout', options.etcdReadycheckTimeoutMs],
    ['--etcd-db-metric-poll-interval', options.etcdDbMetricPollIntervalMs],
    ['--etcd-count-metric-poll-period', options.etcdCountMetricPollPeriodMs],
    ['--lease-reuse-duration-seconds', options.leaseReuseDurationSeconds],
    ['--v', options.verbosity],
  ];
  // Written so that NaN is rejected too.
  return limits.filter(([, value]) => !(value >= 0)).map(([flag]) => `${flag} can not be negative value`);
}

function controllerProblems({ controllers }: ServerOptions): string[] {
  const known = Object.keys({ ...CONTROLLERS, ...CLUSTER_CONTROLLERS }).join(', ');
  return unknownControllers(controllers).map(
    (name) => `--controllers: ${JSON.stringify(name)} is not in the list of known controllers: ${known}`,
  );
}

function storageProblems(options: ServerOptions): string[] {
  const problems: string[] = [];
  if (options.store !== 'memory' && options.store !== 'embedded') {
    problems.push(`--store ${options.store} must be memory or embedded`);
  }
  if (options.dataDir === '') problems.push('--data-dir must not be empty');
  return problems;
}
