import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declareClientMetrics } from './client-metrics.ts';
import { MetricRegistry } from './metrics.ts';

test('client calls are counted under the metrics of client-go', () => {
  const registry = new MetricRegistry();
  const { called } = declareClientMetrics(registry);
  const sent = { method: 'POST', host: 'a:1', requestBytes: 100, responseBytes: 20, durationMs: 30 };
  called({ ...sent, status: 200 });
  called({ ...sent, status: undefined, responseBytes: 0 });
  const lines = registry.text().split('\n');
  for (const line of [
    'rest_client_requests_total{code="200",host="a:1",method="POST"} 1',
    'rest_client_requests_total{code="<error>",host="a:1",method="POST"} 1',
    'rest_client_request_duration_seconds_bucket{host="a:1",verb="POST",le="0.1"} 2',
    'rest_client_request_size_bytes_sum{host="a:1",verb="POST"} 200',
    'rest_client_response_size_bytes_count{host="a:1",verb="POST"} 1',
  ]) {
    assert.ok(lines.includes(line), line);
  }
});
