// Flags that kube-apiserver has removed: the error names the release that removed one, and its replacement.

import { lookup } from '../../base/lookup.ts';

/** The replacement of a removed flag. */
interface RemovedFlag {
  /** The release that removed it, if known for certain. */
  readonly since?: string;
  readonly use: string;
}

const LOGS = { since: '1.26', use: 'the log goes to standard error; redirect it there' };
const LEASES = { since: '1.26', use: 'the times are fixed; leave it out' };
const INSECURE = { since: '1.24', use: 'use --secure-port and --bind-address; requests without TLS are not served' };

const REMOVED: Readonly<Record<string, RemovedFlag>> = lookup({
  'add-dir-header': LOGS,
  address: INSECURE,
  alsologtostderr: LOGS,
  'audit-dynamic-configuration': { since: '1.19', use: 'use --audit-policy-file and --audit-webhook-config-file' },
  'basic-auth-file': { since: '1.19', use: 'use --token-auth-file, client certificates or OpenID Connect' },
  'cloud-config': { since: '1.33', use: 'run a cloud controller manager of its own' },
  'cloud-provider': { since: '1.33', use: 'run a cloud controller manager of its own' },
  'deserialization-cache-size': { use: 'it had no effect; leave it out' },
  'enable-swagger-ui': { use: 'read /openapi/v2 and /openapi/v3' },
  'etcd-quorum-read': { use: 'reads are always consistent; leave it out' },
  'experimental-encryption-provider-config': { use: 'use --encryption-provider-config' },
  'identity-lease-duration-seconds': LEASES,
  'identity-lease-renew-interval-seconds': LEASES,
  'insecure-bind-address': INSECURE,
  'insecure-port': INSECURE,
  'kubelet-https': { use: 'kubelets are always reached over TLS; leave it out' },
  'log-backtrace-at': LOGS,
  'log-dir': LOGS,
  'log-file': LOGS,
  'log-file-max-size': LOGS,
  logtostderr: LOGS,
  'master-service-namespace': { since: '1.27', use: 'it had no effect; leave it out' },
  'one-output': LOGS,
  port: INSECURE,
  'repair-malformed-updates': { use: 'it had no effect; leave it out' },
  'service-account-api-audiences': { since: '1.25', use: 'use --api-audiences' },
  'skip-headers': LOGS,
  'skip-log-headers': LOGS,
  'ssh-keyfile': { use: 'use a konnectivity server (--egress-selector-config-file)' },
  'ssh-user': { use: 'use a konnectivity server (--egress-selector-config-file)' },
  stderrthreshold: LOGS,
  'storage-versions': { use: 'objects are stored in the preferred version; leave it out' },
  'target-ram-mb': { use: 'use --max-requests-inflight' },
});

/** The addition to the error about an unknown flag; '' for one that never existed. */
export function removedFlagAdvice(name: string): string {
  const removed = Object.hasOwn(REMOVED, name) ? REMOVED[name] : undefined;
  if (removed === undefined) return '';
  const { since, use } = removed;
  return ` (${since === undefined ? 'removed from Kubernetes' : `removed in Kubernetes ${since}`}: ${use})`;
}
