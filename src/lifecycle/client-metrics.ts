// Metrics of calls of webhooks, with the names of Kubernetes' client library.

import { calledBytes, callSeconds } from './metric-bounds.ts';
import type { MetricRegistry } from './metrics.ts';

/** The status of a call without a response. */
const NO_ANSWER = '<error>';

/** A completed call. */
export interface Called {
  readonly method: string;
  readonly host: string;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly durationMs: number;
}

export function declareClientMetrics(registry: MetricRegistry) {
  const requests = registry.counter({
    name: 'rest_client_requests_total',
    help: 'Calls of webhooks, by host and status.',
    stability: 'ALPHA',
    labels: ['code', 'host', 'method'],
  });
  const histogram = (name: string, help: string, bounds: readonly number[]) =>
    registry.histogram({ name: `rest_client_${name}`, help, stability: 'ALPHA', labels: ['host', 'verb'] }, bounds);
  const seconds = histogram('request_duration_seconds', 'Latency of calls of webhooks in seconds.', callSeconds);
  const sent = histogram('request_size_bytes', 'Size of requests to webhooks in bytes.', calledBytes);
  const received = histogram('response_size_bytes', 'Size of responses of webhooks in bytes.', calledBytes);
  return {
    called({ method, host, status, requestBytes, responseBytes, durationMs }: Called): void {
      const labels = { host, verb: method };
      requests.with({ code: status === undefined ? NO_ANSWER : String(status), host, method }).add();
      seconds.with(labels).observe(durationMs / 1000);
      sent.with(labels).observe(requestBytes);
      if (status !== undefined) received.with(labels).observe(responseBytes);
    },
  };
}
