// Metrics of the audit: events, their losses, and the levels at which requests are recorded.

import type { MetricRegistry } from './metrics.ts';

export type AuditMetrics = ReturnType<typeof declareAuditMetrics>;

export function declareAuditMetrics(registry: MetricRegistry) {
  return {
    events: registry.counter({
      name: 'apiserver_audit_event_total',
      help: 'Audit events that were handed to where they are recorded.',
      stability: 'ALPHA',
    }),
    errors: registry.counter({
      name: 'apiserver_audit_error_total',
      help: 'Audit events that were lost, by what lost them.',
      stability: 'ALPHA',
      labels: ['plugin'],
    }),
    levels: registry.counter({
      name: 'apiserver_audit_level_total',
      help: 'Requests, by the level at which the policy has them recorded.',
      stability: 'ALPHA',
      labels: ['level'],
    }),
    rejected: registry.counter({
      name: 'apiserver_audit_requests_rejected_total',
      help: 'Requests that were refused because their audit events could not be recorded.',
      stability: 'ALPHA',
    }),
  };
}
