// Metrics of auditing: events, dropped events, and levels of requests.

import type { MetricRegistry } from './metrics.ts';

export type AuditMetrics = ReturnType<typeof declareAuditMetrics>;

export function declareAuditMetrics(registry: MetricRegistry) {
  return {
    events: registry.counter({
      name: 'apiserver_audit_event_total',
      help: 'Audit events passed to the backends.',
      stability: 'ALPHA',
    }),
    errors: registry.counter({
      name: 'apiserver_audit_error_total',
      help: 'Audit events that were dropped, by backend.',
      stability: 'ALPHA',
      labels: ['plugin'],
    }),
    levels: registry.counter({
      name: 'apiserver_audit_level_total',
      help: 'Requests, by audit level.',
      stability: 'ALPHA',
      labels: ['level'],
    }),
    rejected: registry.counter({
      name: 'apiserver_audit_requests_rejected_total',
      help: 'Requests rejected because their audit events could not be recorded.',
      stability: 'ALPHA',
    }),
  };
}
