// The health checks of a server: whether it lives, and whether it should be sent requests.

import { type HealthCheck, HealthChecks } from '../http/health.ts';
import type { Storage } from './storage.ts';

export interface HealthSources {
  readonly storage: Pick<Storage, 'checks'>;
  readonly isReady: () => boolean;
  readonly isDraining: () => boolean;
}

const ALL = ['healthz', 'livez', 'readyz'] as const;

/** Named as kube-apiserver names them: probes and people ask for them by these names. */
export function healthChecks({ storage, isReady, isDraining }: HealthSources): HealthChecks {
  const well = () => undefined;
  const checks: HealthCheck[] = [
    { name: 'ping', endpoints: ALL, check: well },
    { name: 'log', endpoints: ALL, check: well },
    ...storage.checks,
    { name: 'informer-sync', endpoints: ['readyz'], check: () => (isReady() ? undefined : 'still starting') },
    { name: 'shutdown', endpoints: ['readyz'], check: () => (isDraining() ? 'shutting down' : undefined) },
  ];
  return new HealthChecks(checks);
}
