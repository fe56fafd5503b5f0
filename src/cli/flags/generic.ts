// Generic flags of `keelson serve`: a row for each.

import { featureGateHelp } from '../../server/options.ts';
import type { Flag } from './flag.ts';

export const genericFlags: readonly Flag[] = [
  {
    name: 'emulated-version',
    type: 'strings',
    option: 'emulatedVersion',
    help: 'Version to emulate: 1.24 to 1.34; by default the newest.',
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
    name: 'advertise-address',
    type: 'ip',
    option: 'advertiseAddress',
    help: 'The address by which other machines find the server.',
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
    help: 'The host in URLs that the server makes of itself.',
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
    help: 'Seconds that a watch stays open at the least.',
  },
  {
    name: 'max-requests-inflight',
    type: 'int',
    option: 'maxRequestsInFlight',
    help: 'Reads served at once; 0 for no limit.',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'int',
    option: 'maxMutatingRequestsInFlight',
    help: 'Writes served at once; 0 for no limit.',
  },
  {
    name: 'enable-priority-and-fairness',
    type: 'bool',
    option: 'enablePriorityAndFairness',
    help: 'Queue requests by class and flow.',
  },
  {
    name: 'goaway-chance',
    type: 'float',
    option: 'goawayChance',
    help: 'Chance that a request makes its client reconnect.',
  },
  {
    name: 'livez-grace-period',
    type: 'duration',
    option: 'livezGraceMs',
    help: 'How long /livez bears with a slow start.',
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
    help: 'Where traces of requests are sent, and how many.',
  },
  {
    name: 'shutdown-send-retry-after',
    type: 'bool',
    option: 'shutdownSendRetryAfter',
    help: 'Answer 429 while the last requests finish.',
  },
  {
    name: 'shutdown-watch-termination-grace-period',
    type: 'duration',
    option: 'shutdownWatchTerminationGraceMs',
    help: 'Wait so long for watches to end.',
  },
  {
    name: 'shutdown-delay-duration',
    type: 'duration',
    option: 'shutdownDelayMs',
    help: 'Serve so long after a signal to stop.',
  },
  {
    name: 'feature-gates',
    type: 'featureGates',
    option: 'featureGates',
    help: 'Feature gates to switch: Name=true,Other=false. Those that can be set:',
    choices: featureGateHelp,
  },
];
