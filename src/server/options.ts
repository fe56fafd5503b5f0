// Options of a server, as plain data: the defaults, and the check that reports in words for people what cannot be
// right. Nothing here opens a file or a port; who starts the server does.

import { isIP, isIPv6 } from 'node:net';
import { errorList } from '../base/error-list.ts';
import { CONTROLLERS, unknownControllers } from '../controllers/controller-names.ts';
import { type AdmissionOptions, admissionProblems, defaultAdmissionOptions } from './options/admission.ts';
import { type AggregationOptions, aggregationProblems, defaultAggregationOptions } from './options/aggregation.ts';
import { apiProblems, versionProblem } from './options/apis.ts';
import { type AuditOptions, auditProblems, defaultAuditOptions } from './options/audit.ts';
import {
  type AuthenticationOptions,
  authenticationProblems,
  defaultAuthenticationOptions,
} from './options/authentication.ts';
import {
  type AuthorizationOptions,
  authorizationProblems,
  defaultAuthorizationOptions,
} from './options/authorization.ts';
import { type DebuggingOptions, defaultDebuggingOptions } from './options/debugging.ts';
import { defaultEncryptionOptions, type EncryptionOptions, encryptionOptionProblems } from './options/encryption.ts';
import { defaultEtcdOptions, type EtcdOptions, etcdProblems } from './options/etcd.ts';
import { defaultLogOptions, type LogOptions, logProblems } from './options/logs.ts';
import { defaultMetricOptions, type MetricOptions, metricProblems } from './options/metrics.ts';
import { defaultOverloadOptions, type OverloadOptions, overloadProblems } from './options/overload.ts';
import {
  defaultSecureServingOptions,
  type SecureServingOptions,
  secureServingProblems,
} from './options/secure-serving.ts';
import { defaultWebOptions, type WebOptions, webProblems } from './options/web.ts';

// What the command line needs of the lower floors comes through here.
export { parseEmulatedVersion } from '../lifecycle/emulated-version.ts';
export { FeatureGateError, featureGateHelp, parseBool, parseFeatureGates } from '../lifecycle/feature-gates.ts';
export { gitVersion, reportedVersionProblem, versionDocument, versionLine } from '../lifecycle/version.ts';
export { runtimeFacts } from './process-facts.ts';

type StoreKind = 'memory' | 'embedded';

export interface ServerOptions
  extends EtcdOptions,
    OverloadOptions,
    MetricOptions,
    AuditOptions,
    EncryptionOptions,
    AuthenticationOptions,
    AggregationOptions,
    AdmissionOptions,
    AuthorizationOptions,
    SecureServingOptions,
    WebOptions,
    LogOptions,
    DebuggingOptions {
  /** The port of the HTTPS listener; 0 takes a free one. */
  readonly securePort: number;
  /** The address to listen on; `0.0.0.0` or `::` for all. */
  readonly bindAddress: string;
  /** The address that clients are told; undefined for the one listened on. */
  readonly advertiseAddress: string | undefined;
  /** PEM files of the server's certificate and key; without them the server makes its own. */
  readonly tlsCertFile: string | undefined;
  /** A folder with `apiserver.crt` and `apiserver.key`, which serve where no other pair is named. */
  readonly certDir: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  /** CA bundle (PEM file) for verifying client certificates. */
  readonly clientCaFile: string | undefined;
  /** CSV file of tokens: token, user name, uid, groups. */
  readonly tokenAuthFile: string | undefined;
  /** PEM files: who vouches for kubelets, and what the server shows to them; without an authority none is checked. */
  readonly kubeletCertificateAuthority: string | undefined;
  readonly kubeletClientCertificate: string | undefined;
  readonly kubeletClientKey: string | undefined;
  /** Types of a node's addresses, the one to reach its kubelet by first. */
  readonly kubeletPreferredAddressTypes: readonly string[];
  readonly anonymousAuth: boolean;
  /** PEM file of the key that signs them; undefined for one that the server makes and keeps. */
  readonly serviceAccountSigningKeyFile: string | undefined;
  /** Audiences of tokens that the server takes for its own; none given: the issuer. */
  readonly apiAudiences: readonly string[];
  /** One CIDR, or two of different families separated by a comma. */
  readonly serviceClusterIpRange: string;
  /** First and last port, both included. */
  readonly serviceNodePortRange: PortRange;
  /** The node port of the service by which clients inside find the server; 0 for none. */
  readonly kubernetesServiceNodePort: number;
  /** Whether dependents of deleted objects are deleted, and deletions wait for that where they are asked to. */
  readonly enableGarbageCollector: boolean;
  /** The version that /version tells, in place of the server's own; '' for that. */
  readonly reportedVersion: string;
  /** API versions and resources switched on or off, as `apps/v1` or `api/all`; the value '' means true. */
  readonly runtimeConfig: Readonly<Record<string, string>>;
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** The version of Kubernetes to offer in place of the newest: `1.33` or `kube=1.33`; none for the newest. */
  readonly emulatedVersion: readonly string[];
  /** Serve newer versions of what is served, though they came after the emulated version. */
  readonly emulationForwardCompatible: boolean;
  /** Serve what runtimeConfig names, though it came after the emulated version. */
  readonly runtimeConfigEmulationForwardCompatible: boolean;
  readonly watchCache: boolean;
  /** Whether containers may be privileged. */
  readonly allowPrivileged: boolean;
  /** How long a request that is not long-running may take. */
  readonly requestTimeoutMs: number;
  /** Watches that name no timeout end after this time at the earliest, twice this time at the latest. */
  readonly minRequestTimeoutSeconds: number;
  /** Requests served at once before 429; 0 for no limit. */
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
  /**
   * The server's own controllers that run: `*` for all that are on by default, `-*` for those alone that
   * kube-controller-manager does not have, `name`, `-name`; '' for none.
   */
  readonly controllers: string;
  /** How long events are kept. */
  readonly eventTtlMs: number;
  /** How long the server still takes requests, no longer ready, after it was told to stop. */
  readonly shutdownDelayMs: number;
  /** Where everything that must outlive the process is kept. */
  readonly dataDir: string;
  /** Whether the program serves the console's page beside the server. */
  readonly console: boolean;
  readonly store: StoreKind;
  /** Names of the options that somebody gave: some may only be given without others, whatever their value. */
  readonly givenOptions?: readonly string[];
}

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export const DEFAULT_SECURE_PORT = 6443;

/** kube-apiserver's defaults where it has the option, but only this machine may connect unless told otherwise. */
export const defaultServerOptions: ServerOptions = {
  ...defaultEtcdOptions,
  ...defaultOverloadOptions,
  ...defaultMetricOptions,
  ...defaultAuditOptions,
  ...defaultEncryptionOptions,
  ...defaultAuthenticationOptions,
  ...defaultAggregationOptions,
  ...defaultAdmissionOptions,
  ...defaultAuthorizationOptions,
  ...defaultSecureServingOptions,
  ...defaultWebOptions,
  ...defaultLogOptions,
  ...defaultDebuggingOptions,
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
  emulatedVersion: [],
  emulationForwardCompatible: false,
  runtimeConfigEmulationForwardCompatible: false,
  watchCache: true,
  // Whoever runs pods of a node's own kind says so to kube-apiserver, too: every installer of clusters does.
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

/** Option values that no server can be started with; the message names each, for people. */
export class InvalidOptionsError extends Error {
  override name = 'InvalidOptionsError';
}

/** The given options, the others at their defaults. Throws InvalidOptionsError. */
export function serverOptions(given: Partial<ServerOptions> = {}): ServerOptions {
  const options = { ...defaultServerOptions, ...given };
  const known = { ...defaultServerOptions, givenOptions: [] };
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  const problems = [...unknown.map((name) => `there is no option ${name}`), ...optionProblems(options)];
  if (problems.length > 0) throw new InvalidOptionsError(errorList(problems));
  return options;
}

/** Whether somebody gave an option: with another value than its default, or by a flag that is noted. */
export function isGiven(options: ServerOptions, name: keyof ServerOptions): boolean {
  const [own, usual] = [options[name], defaultServerOptions[name]].map((value) => JSON.stringify(value));
  return own !== usual || options.givenOptions?.includes(name) === true;
}

/** Everything that is wrong with the options, one short text each that names the flag. */
export function optionProblems(options: ServerOptions): string[] {
  const unreadable = versionProblem(options);
  if (unreadable !== undefined) return [unreadable];
  return [
    ...listenerProblems(options),
    ...limitProblems(options),
    ...overloadProblems(options),
    ...metricProblems(options),
    ...serviceProblems(options),
    ...apiProblems(options),
    ...controllerProblems(options),
    ...storageProblems(options),
    ...etcdProblems(options),
    ...auditProblems(options),
    ...encryptionOptionProblems(options),
    ...authenticationProblems(options),
    ...aggregationProblems(options),
    ...admissionProblems(options),
    ...authorizationProblems(options),
    ...secureServingProblems(options),
    ...webProblems(options),
    ...logProblems(options),
  ];
}

function listenerProblems(options: ServerOptions): string[] {
  const problems: string[] = [];
  if (!isPort(options.securePort)) problems.push(`--secure-port ${options.securePort} must be between 0 and 65535`);
  if (isIP(options.bindAddress) === 0) problems.push(`--bind-address ${options.bindAddress} is not an IP address`);
  const { advertiseAddress } = options;
  if (advertiseAddress !== undefined && isIP(advertiseAddress) === 0) {
    problems.push(`--advertise-address ${advertiseAddress} is not an IP address`);
  }
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined)) {
    problems.push('missing filename for serving cert');
  }
  // As a flag for tools that set it; the store itself answers from memory.
  if (!options.watchCache) problems.push('--watch-cache=false is not possible: reads are always served from memory');
  if ((options.kubeletClientCertificate === undefined) !== (options.kubeletClientKey === undefined)) {
    problems.push('--kubelet-client-certificate and --kubelet-client-key must be given together');
  }
  return problems;
}

function limitProblems(options: ServerOptions): string[] {
  const limits: [flag: string, value: number][] = [
    ['--request-timeout', options.requestTimeoutMs],
    ['--min-request-timeout', options.minRequestTimeoutSeconds],
    ['--max-requests-inflight', options.maxRequestsInFlight],
    ['--max-mutating-requests-inflight', options.maxMutatingRequestsInFlight],
    ['--event-ttl', options.eventTtlMs],
    ['--etcd-compaction-interval', options.etcdCompactionIntervalMs],
    ['--etcd-healthcheck-timeout', options.etcdHealthcheckTimeoutMs],
    ['--etcd-readycheck-timeout', options.etcdReadycheckTimeoutMs],
    ['--etcd-db-metric-poll-interval', options.etcdDbMetricPollIntervalMs],
    ['--etcd-count-metric-poll-period', options.etcdCountMetricPollPeriodMs],
    ['--lease-reuse-duration-seconds', options.leaseReuseDurationSeconds],
    ['--shutdown-delay-duration', options.shutdownDelayMs],
    ['--v', options.verbosity],
  ];
  // Written so that NaN is refused too.
  return limits.filter(([, value]) => !(value >= 0)).map(([flag]) => `${flag} can not be negative value`);
}

/** Masks shorter than this leave more addresses than the allocator may hold. */
const longestHostBits = 20;

function serviceProblems(options: ServerOptions): string[] {
  const ranges = options.serviceClusterIpRange.split(',').map((range) => range.trim());
  const problems = ranges.flatMap((range, index) => rangeProblem(range, index) ?? []);
  if (ranges.length > 2) problems.push('--service-cluster-ip-range must not contain more than two entries');
  if (problems.length === 0 && ranges.length === 2 && isIPv6(addressOf(ranges[0]!)) === isIPv6(addressOf(ranges[1]!))) {
    problems.push('--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family');
  }
  const { first, last } = options.serviceNodePortRange;
  if (!isPort(first) || !isPort(last) || last < first) {
    problems.push(`--service-node-port-range ${first}-${last} is not a range of ports`);
  }
  problems.push(...ownPortProblems(options));
  return problems;
}

function ownPortProblems({ kubernetesServiceNodePort: port, serviceNodePortRange }: ServerOptions): string[] {
  const { first, last } = serviceNodePortRange;
  const problems = isPort(port)
    ? []
    : [
        `--kubernetes-service-node-port ${port} must be between 0 and 65535, inclusive. ` +
          'If 0, the Kubernetes master service will be of type ClusterIP',
      ];
  if (port > 0 && (port < first || port > last)) {
    problems.push(`kubernetes service node port range ${first}-${last} doesn't contain ${port}`);
  }
  return problems;
}

function addressOf(range: string): string {
  return range.slice(0, range.indexOf('/'));
}

function rangeProblem(range: string, index: number): string | undefined {
  const parts = /^([^/]+)\/(\d{1,3})$/.exec(range);
  const family = isIP(parts?.[1] ?? '');
  const bits = family === 6 ? 128 : 32;
  const mask = Number(parts?.[2]);
  if (parts === null || family === 0 || mask > bits) return `service-cluster-ip-range[${index}] is not a valid cidr`;
  if (bits - mask <= longestHostBits) return undefined;
  const least = bits - longestHostBits;
  return `--service-cluster-ip-range is too large; for ${bits}-bit addresses, the mask must be >= ${least}`;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 0 && port <= 65_535;
}

function controllerProblems({ controllers }: ServerOptions): string[] {
  const known = Object.keys(CONTROLLERS).join(', ');
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
