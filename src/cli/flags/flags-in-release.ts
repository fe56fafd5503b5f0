// The flags of kube-apiserver by release: with --kubernetes-version, those that the release does not have yet are unknown,
// and those that it still has are accepted. Kubernetes' releases are the source.

import { lookup } from '../../base/lookup.ts';
import type { AcceptedFlag } from './accepted.ts';

/** The minor release of Kubernetes 1 that introduced a flag; flags that every release has are not listed. */
const INTRODUCED: Readonly<Record<string, number>> = lookup({
  'allow-metric-labels-manifest': 29,
  'authentication-config': 29,
  'authorization-config': 29,
  'coordinated-leadership-lease-duration': 34,
  'coordinated-leadership-renew-deadline': 34,
  'coordinated-leadership-retry-period': 34,
  'debug-socket-path': 27,
  'disable-http2-serving': 31,
  'emulated-version': 31,
  'emulation-forward-compatible': 33,
  'encryption-provider-config-automatic-reload': 26,
  'etcd-readycheck-timeout': 25,
  'log-text-info-buffer-size': 30,
  'log-text-split-stream': 30,
  'peer-advertise-ip': 28,
  'peer-advertise-port': 28,
  'peer-ca-file': 28,
  'requestheader-uid-headers': 32,
  'runtime-config-emulation-forward-compatible': 33,
  'service-account-signing-endpoint': 32,
  'shutdown-watch-termination-grace-period': 27,
  'storage-initialization-timeout': 31,
});

/** A flag that a minor release of Kubernetes 1 removed. Servers of earlier releases accept it, but it has no effect. */
export interface EarlierFlag extends AcceptedFlag {
  readonly until: number;
}

const CLOUD = { until: 33, why: 'cloud providers are controllers of their own' } as const;
const LEASES = { until: 26, why: 'the identity lease of the server has fixed times' } as const;
const LOGS = { until: 26, why: 'the log goes to standard error' } as const;

export const earlierFlags: readonly EarlierFlag[] = [
  { name: 'add-dir-header', type: 'bool', ...LOGS },
  { name: 'alsologtostderr', type: 'bool', ...LOGS },
  { name: 'cloud-config', type: 'string', ...CLOUD },
  { name: 'cloud-provider', type: 'string', ...CLOUD },
  { name: 'identity-lease-duration-seconds', type: 'int', ...LEASES },
  { name: 'identity-lease-renew-interval-seconds', type: 'int', ...LEASES },
  { name: 'log-backtrace-at', type: 'string', ...LOGS },
  { name: 'log-dir', type: 'string', ...LOGS },
  { name: 'log-file', type: 'string', ...LOGS },
  { name: 'log-file-max-size', type: 'uint', ...LOGS },
  { name: 'logtostderr', type: 'bool', ...LOGS },
  { name: 'master-service-namespace', type: 'string', until: 27, why: 'kube-apiserver ignores it too' },
  { name: 'one-output', type: 'bool', ...LOGS },
  { name: 'skip-headers', type: 'bool', ...LOGS },
  { name: 'skip-log-headers', type: 'bool', ...LOGS },
  { name: 'stderrthreshold', type: 'string', ...LOGS },
];

/** The minor release of Kubernetes 1 that introduced a flag; undefined if every release that can be served has it. */
export function introducedIn(flag: string): number | undefined {
  return INTRODUCED[flag];
}
