// Metrics of health checks, which have a path of their own: /metrics/slis.

import { MetricRegistry } from './metrics.ts';

export type HealthMetrics = ReturnType<typeof declareHealthMetrics>;

/** @param startSeconds start time of the process, since the Unix epoch */
export function declareHealthMetrics(startSeconds: () => number) {
  const registry = new MetricRegistry();
  const labels = ['name', 'type'] as const;
  const last = registry.gauge({
    name: 'kubernetes_healthcheck',
    help: 'This metric records the result of a single healthcheck.',
    stability: 'STABLE',
    labels,
    sharedByThreads: true,
  });
  const total = registry.counter({
    name: 'kubernetes_healthchecks_total',
    help: 'This metric records the results of all healthcheck.',
    stability: 'STABLE',
    labels: [...labels, 'status'],
  });
  const help = 'Start time of the process, in seconds since the Unix epoch.';
  const start = { name: 'process_start_time_seconds', help, stability: 'ALPHA', sharedByThreads: true } as const;
  registry.collected(start, 'gauge', () => [{ labels: {}, value: startSeconds() }]);
  return {
    /** @param type `healthz`, `livez` or `readyz` */
    checked(name: string, type: string, isWell: boolean): void {
      last.with({ name, type }).set(Number(isWell));
      total.with({ name, type, status: isWell ? 'success' : 'error' }).add();
    },
    shared: () => registry.shared(),
    text: (withNative?: boolean) => registry.text(withNative),
    reset: () => registry.reset(),
  };
}
