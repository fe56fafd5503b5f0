// Metrics of the audit: events, their losses, and the levels at which requests are recorded.

import type { MetricRegistry } from './metrics.ts';

export type AuditMetrics = ReturnType<typeof declareAuditMetrics>;

export function declareAuditMetrics(registry: MetricRegistry) {
  return {
    events: registry.counter({
      name: 'apiserver_audit_event_total',
      help: 'Counter of audit events generated and sent to the audit backend.',
      stability: 'ALPHA',
    }),
    errors: registry.counter({
      name: 'apiserver_audit_error_total',
      help: 'Counter of audit events that failed to be audited properly. Plugin identifies the plugin affected by the error.',
      stability: 'ALPHA',
      labels: ['plugin'],
    }),
    levels: registry.counter({
      name: 'apiserver_audit_level_total',
      help: 'Counter of policy levels for audit events (1 per request).',
      stability: 'ALPHA',
      labels: ['level'],
    }),
    rejected: registry.counter({
      name: 'apiserver_audit_requests_rejected_total',
      help: 'Counter of apiserver requests rejected due to an error in audit logging backend.',
      stability: 'ALPHA',
    }),
  };
}
