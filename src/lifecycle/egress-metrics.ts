// Metrics of connections through egress proxies, with kube-apiserver's names.

import type { MetricRegistry } from './metrics.ts';

export type EgressMetrics = ReturnType<typeof declareEgressMetrics>;

/** Protocol and transport of a proxy. */
export interface Way {
  readonly protocol: string;
  readonly transport: string;
}

const dialSeconds = [0.005, 0.025, 0.1, 0.5, 2.5, 12.5];

export function declareEgressMetrics(registry: MetricRegistry) {
  const labels = ['protocol', 'transport'] as const;
  const starts = registry.counter({
    name: 'apiserver_egress_dialer_dial_start_total',
    help: 'Started egress connections, by protocol (http_connect or grpc) and transport (tcp or uds).',
    stability: 'ALPHA',
    labels,
  });
  const seconds = registry.histogram(
    {
      name: 'apiserver_egress_dialer_dial_duration_seconds',
      help: 'Time to establish egress connections in seconds, by protocol and transport.',
      stability: 'ALPHA',
      labels,
    },
    dialSeconds,
  );
  const failures = registry.counter({
    name: 'apiserver_egress_dialer_dial_failure_count',
    help: 'Failed egress connections, by protocol, transport and stage: to the proxy (connect) or beyond it (proxy).',
    stability: 'ALPHA',
    labels: ['protocol', 'transport', 'stage'],
  });
  return {
    started: ({ protocol, transport }: Way) => starts.with({ protocol, transport }).add(),
    stood: ({ protocol, transport }: Way, took: number) => seconds.with({ protocol, transport }).observe(took),
    failed: ({ protocol, transport }: Way, stage: 'connect' | 'proxy') =>
      failures.with({ protocol, transport, stage }).add(),
  };
}
