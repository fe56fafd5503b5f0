// The metric of exec, attach and portforward, with kube-apiserver's name. It counts all their requests, also those over
// SPDY, as there.

import type { MetricRegistry } from './metrics.ts';

export type PodStreamMetrics = ReturnType<typeof declarePodStreamMetrics>;

export function declarePodStreamMetrics(registry: MetricRegistry) {
  const requests = registry.counter({
    name: 'apiserver_websocket_streaming_requests_total',
    help: 'Number of requests for exec, attach and portforward, by subresource. The server translates those over WebSocket for the kubelet.',
    stability: 'ALPHA',
    labels: ['subresource', 'proxy_type'],
  });
  return {
    /** Counts a request whose pod has a kubelet. */
    asked(subresource: string): void {
      requests.with({ subresource, proxy_type: 'translated_at_apiserver' }).add();
    },
  };
}
