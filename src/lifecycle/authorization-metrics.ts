// Metrics of authorization webhooks, with kube-apiserver's names.

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
      { name: `${PREFIX}_webhook_duration_seconds`, help: 'Latency of authorization webhooks in seconds.', ...calls },
      usualSeconds,
    ),
    failOpen: registry.counter({
      name: `${PREFIX}_webhook_evaluations_fail_open_total`,
      help: 'Failed calls of authorization webhooks that were ignored.',
      ...calls,
    }),
    conditionErrors: registry.counter({
      name: `${PREFIX}_match_condition_evaluation_errors_total`,
      help: 'Failed evaluations of match conditions of authorizers.',
      ...conditions,
    }),
    conditionExclusions: registry.counter({
      name: `${PREFIX}_match_condition_exclusions_total`,
      help: 'Requests that match conditions excluded from authorizers.',
      ...conditions,
    }),
    conditionSeconds: registry.histogram(
      {
        name: `${PREFIX}_match_condition_evaluation_seconds`,
        help: 'Evaluation time of match conditions of authorizers in seconds.',
        ...conditions,
      },
      [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    ),
  };
}
