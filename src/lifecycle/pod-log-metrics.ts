// Metrics of requests for logs of pods, with kube-apiserver's names: how often the kubelet was verified or not.

import type { MetricRegistry } from './metrics.ts';

export type PodLogMetrics = ReturnType<typeof declarePodLogMetrics>;

export function declarePodLogMetrics(registry: MetricRegistry) {
  const asked = registry.counter({
    name: 'kube_apiserver_pod_logs_insecure_backend_total',
    help: 'Total number of requests for pods/logs sliced by usage type: enforce_tls, skip_tls_allowed, skip_tls_denied',
    stability: 'ALPHA',
    labels: ['usage'],
  });
  const unverified = registry
    .counter({
      name: 'kube_apiserver_pod_logs_backend_tls_failure_total',
      help: 'Total number of requests for pods/logs that failed due to kubelet server TLS verification',
      stability: 'ALPHA',
    })
    .with({});
  return {
    /** Counts a request. @param insecure whether it does without verification of the kubelet */
    asked(insecure: boolean): void {
      asked.with({ usage: insecure ? 'skip_tls_allowed' : 'enforce_tls' }).add();
    },
    /** The kubelet could not be verified. */
    unverified(): void {
      unverified.add();
    },
  };
}
