// Metrics of authorization by webhooks, under kube-apiserver's names.

import { declareConfigurationMetrics } from './configuration-metrics.ts';
import { usualSeconds } from './metric-bounds.ts';
import type { MetricRegistry } from './metrics.ts';

export type AuthorizationMetrics = ReturnType<typeof declareAuthorizationMetrics>;

const PREFIX = 'apiserver_authorization';

export function declareAuthorizationMetrics(registry: MetricRegistry) {
  const stability = 'ALPHA' as const;
  const calls = { stability, labels: ['name', 'result'] as const };
  const conditions = { stability, labels: ['type', 'name'] as const };
  return {
    configuration: declareConfigurationMetrics(registry, 'authorization'),
    evaluations: registry.counter({
      name: `${PREFIX}_webhook_evaluations_total`,
      help: 'Calls of authorization webhooks, by name and result.',
      ...calls,
    }),
    seconds: registry.histogram(
      { name: `${PREFIX}_webhook_duration_seconds`, help: 'Seconds that such calls took.', ...calls },
      usualSeconds,
    ),
    failOpen: registry.counter({
      name: `${PREFIX}_webhook_evaluations_fail_open_total`,
      help: 'Failures of such calls that were not held against the request.',
      ...calls,
    }),
    conditionErrors: registry.counter({
      name: `${PREFIX}_match_condition_evaluation_errors_total`,
      help: 'Requests for which a match condition could not be told.',
      ...conditions,
    }),
    conditionExclusions: registry.counter({
      name: `${PREFIX}_match_condition_exclusions_total`,
      help: 'Requests about which an authorizer was not asked, by its match conditions.',
      ...conditions,
    }),
    conditionSeconds: registry.histogram(
      {
        name: `${PREFIX}_match_condition_evaluation_seconds`,
        help: 'Seconds that match conditions took.',
        ...conditions,
      },
      [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    ),
  };
}
