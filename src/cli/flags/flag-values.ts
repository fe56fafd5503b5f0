// Enumerated values of flags of `keelson serve`, for shell completion.

import { lookup } from '../../base/lookup.ts';
import { RELEASES } from '../../server/options.ts';
import type { Flag } from './flag.ts';

const AUDIT_MODES = ['batch', 'blocking', 'blocking-strict'];
const TLS_VERSIONS = ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'];

const VALUES: Readonly<Record<string, readonly string[]>> = lookup({
  'audit-log-format': ['json', 'legacy'],
  'audit-log-mode': AUDIT_MODES,
  'audit-webhook-mode': AUDIT_MODES,
  'authorization-mode': ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'],
  'endpoint-reconciler-type': ['lease', 'master-count', 'none'],
  'kubernetes-version': RELEASES.map(({ minor }) => `1.${minor}`),
  'logging-format': ['json', 'text'],
  'storage-backend': ['etcd3'],
  'storage-media-type': ['application/json', 'application/vnd.kubernetes.protobuf'],
  store: ['embedded', 'memory'],
  'tls-min-version': TLS_VERSIONS,
});

/** The values of a flag; empty if any value is allowed. */
export function valuesOf({ name, type }: Pick<Flag, 'name' | 'type'>): readonly string[] {
  return type === 'bool' ? ['true', 'false'] : (VALUES[name] ?? []);
}
