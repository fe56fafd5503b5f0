// Generic flags of `keelson serve`: a row for each.

import { featureGateHelp } from '../../server/options.ts';
import type { Flag } from './flag.ts';

export const genericFlags: readonly Flag[] = [
  {
    name: 'kubernetes-version',
    type: 'string',
    option: 'kubernetesVersion',
    help: 'Release of Kubernetes to be: 1.24 to 1.37 (default 1.34).',
  },
  {
    name: 'emulated-version',
    type: 'strings',
    option: 'emulatedVersion',
    help: 'Older version that this release emulates, from 1.24 on.',
  },
  {
    name: 'min-compatibility-version',
    type: 'strings',
    option: 'minCompatibilityVersion',
    help: 'Oldest version of other servers in the cluster, from 1.35 on.',
  },
  {
    name: 'emulation-forward-compatible',
    type: 'bool',
    option: 'emulationForwardCompatible',
    help: 'Serve newer versions of served APIs as well.',
  },
  {
    name: 'runtime-config-emulation-forward-compatible',
    type: 'bool',
    option: 'runtimeConfigEmulationForwardCompatible',
    help: 'Serve newer APIs that are named.',
  },
  {
    name: 'serve-removed-apis-for-one-release',
    type: 'bool',
    option: 'serveRemovedApisForOneRelease',
    help: 'Serve APIs that the emulated release is the first without.',
  },
  {
    name: 'advertise-address',
    type: 'ip',
    option: 'advertiseAddress',
    help: 'The address at which other machines reach the server.',
  },
  {
    name: 'cors-allowed-origins',
    type: 'strings',
    option: 'corsAllowedOrigins',
    help: 'Regular expressions of origins whose scripts may use the API.',
  },
  {
    name: 'external-hostname',
    type: 'string',
    option: 'externalHostname',
    help: 'The host name in URLs of this server.',
  },
  {
    name: 'strict-transport-security-directives',
    type: 'strings',
    option: 'strictTransportSecurityDirectives',
    help: 'Directives of HSTS: max-age=N, includeSubDomains, preload.',
  },
  { name: 'request-timeout', type: 'duration', option: 'requestTimeoutMs', help: 'How long a request may take.' },
  {
    name: 'min-request-timeout',
    type: 'int',
    option: 'minRequestTimeoutSeconds',
    help: 'Minimum duration of a watch in seconds.',
  },
  {
    name: 'max-requests-inflight',
    type: 'int',
    option: 'maxRequestsInFlight',
    help: 'Maximum number of concurrent reads; 0 for no limit.',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'int',
    option: 'maxMutatingRequestsInFlight',
    help: 'Maximum number of concurrent writes; 0 for no limit.',
  },
  {
    name: 'enable-priority-and-fairness',
    type: 'bool',
    option: 'enablePriorityAndFairness',
    help: 'Enable priority and fairness.',
  },
  {
    name: 'serving-threads',
    type: 'int',
    option: 'servingThreads',
    help: 'Threads that answer requests; 0 for all cores but one, four at most.',
  },
  {
    name: 'goaway-chance',
    type: 'float',
    option: 'goawayChance',
    help: 'Probability that a request sends its client GOAWAY.',
  },
  {
    name: 'livez-grace-period',
    type: 'duration',
    option: 'livezGraceMs',
    help: 'How long /livez tolerates a slow start.',
  },
  {
    name: 'profiling',
    type: 'bool',
    option: 'profiling',
    help: 'Serve profiles and flags that can be changed below /debug.',
  },
  {
    name: 'tracing-config-file',
    type: 'file',
    option: 'tracingConfigFile',
    help: 'TracingConfiguration file.',
  },
  {
    name: 'shutdown-send-retry-after',
    type: 'bool',
    option: 'shutdownSendRetryAfter',
    help: 'Respond with 429 while the last requests finish.',
  },
  {
    name: 'shutdown-watch-termination-grace-period',
    type: 'duration',
    option: 'shutdownWatchTerminationGraceMs',
    help: 'How long to wait for watches to end during shutdown.',
  },
  {
    name: 'shutdown-delay-duration',
    type: 'duration',
    option: 'shutdownDelayMs',
    help: 'How long to keep serving after a termination signal.',
  },
  {
    name: 'feature-gates',
    type: 'featureGates',
    option: 'featureGates',
    help: 'Feature gates: Name=true,Other=false. Those that can be set:',
    choices: featureGateHelp,
  },
];
