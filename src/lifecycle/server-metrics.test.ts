import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import type { MetricSources } from './collected-metrics.ts';
import { FeatureGates } from './feature-gates.ts';
import { RequestSeries } from './request-metrics.ts';
import { declareServerMetrics } from './server-metrics.ts';
import { emulationOf } from './version.ts';

const sources: MetricSources = {
  clock: new ManualClock(),
  gates: new FeatureGates({ CBORServingAndStorage: true }),
  emulation: emulationOf(34),
  runtime: { nodeVersion: 'v26.10.0', platform: 'linux', arch: 'x64' },
  process: () => ({
    cpuSeconds: 1.5,
    residentBytes: 1e8,
    virtualBytes: 2e9,
    startSeconds: 1767225600,
    openFiles: 20,
    maxFiles: 1024,
  }),
  resources: () => [
    { group: '', resource: 'pods', objects: 3, bytes: 300, revision: 42, historyEvents: 7, receivedEvents: 9 },
    {
      group: 'apps',
      resource: 'deployments',
      objects: 1,
      bytes: 90,
      revision: 42,
      historyEvents: 0,
      receivedEvents: 1,
    },
  ],
};

/** The samples of a text, by name and labels. */
function samples(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]));
}

test('a request is counted and measured with the labels of kube-apiserver', () => {
  const metrics = declareServerMetrics(sources);
  const labels = { verb: 'LIST', group: 'apps', version: 'v1', resource: 'deployments', subresource: '' };
  const series = new RequestSeries(
    metrics.requests,
    { ...labels, scope: 'namespace', component: 'apiserver' },
    { dryRun: '', sized: true },
  );
  series.observe({ code: 200, durationSeconds: 0.03, outsideSeconds: 0.02, responseBytes: 5000 });
  series.observe({ code: 200, durationSeconds: 0.3, outsideSeconds: 0, responseBytes: 500 });
  series.observe({ code: 429, durationSeconds: 0.001, outsideSeconds: 0.002, responseBytes: 100 });
  const text = samples(metrics.text());
  const rest = 'group="apps",resource="deployments",scope="namespace",subresource="",verb="LIST",version="v1"';
  assert.equal(text.get(`apiserver_request_total{code="200",component="apiserver",dry_run="",${rest}}`), '2');
  assert.equal(text.get(`apiserver_request_total{code="429",component="apiserver",dry_run="",${rest}}`), '1');
  const duration = `apiserver_request_duration_seconds_bucket{component="apiserver",dry_run="",${rest}`;
  assert.equal(text.get(`${duration},le="0.005"}`), '1');
  assert.equal(text.get(`${duration},le="0.05"}`), '2');
  assert.equal(text.get(`${duration},le="+Inf"}`), '3');
  assert.equal(text.get(`apiserver_request_sli_duration_seconds_sum{component="apiserver",${rest}}`), '0.31');
  const sizes = `apiserver_response_sizes_bucket{component="apiserver",${rest}`;
  assert.equal(text.get(`${sizes},le="1000"}`), '2');
  assert.equal(text.get(`${sizes},le="1e+09"}`), '3');
});

test('the size of a response is measured for verbs that have that metric', () => {
  const metrics = declareServerMetrics(sources);
  const pods = { group: '', version: 'v1', resource: 'pods', subresource: '' };
  const labels = { verb: 'POST', ...pods, scope: 'resource', component: 'apiserver' };
  const series = new RequestSeries(metrics.requests, labels, { dryRun: 'All', sized: false });
  series.observe({ code: 201, durationSeconds: 0.01, outsideSeconds: 0, responseBytes: 5000 });
  assert.doesNotMatch(metrics.text(), /apiserver_response_sizes/);
  assert.match(metrics.text(), /^apiserver_request_total\{code="201",component="apiserver",dry_run="All",/m);
});

test('values from other parts of the server are read at scrape time', () => {
  const text = samples(declareServerMetrics(sources).text());
  const expected: [sample: string, value: string][] = [
    ['apiserver_resource_objects{group="",resource="pods"}', '3'],
    ['apiserver_storage_objects{resource="pods"}', '3'],
    ['apiserver_storage_objects{resource="deployments.apps"}', '1'],
    ['apiserver_resource_size_estimate_bytes{group="apps",resource="deployments"}', '90'],
    ['apiserver_watch_cache_resource_version{group="",resource="pods"}', '42'],
    ['apiserver_watch_cache_events_received_total{group="",resource="pods"}', '9'],
    ['watch_cache_capacity{group="",resource="pods"}', '7'],
    ['process_cpu_seconds_total', '1.5'],
    ['process_start_time_seconds', '1.7672256e+09'],
    ['kubernetes_feature_enabled{name="CBORServingAndStorage",stage="ALPHA"}', '1'],
    ['kubernetes_feature_enabled{name="StorageVersionAPI",stage="ALPHA"}', '0'],
    ['kubernetes_feature_enabled{name="ConsistentListFromCache",stage=""}', '1'],
    ['version_info{binary="1.34.4",component="kube",emulation="1.34",min_compat="1.33"}', '1'],
    ['hidden_metrics_total', '3'],
    ['cardinality_enforcement_unexpected_categorizations_total', '0'],
  ];
  for (const [sample, value] of expected) assert.equal(text.get(sample), value, sample);
});

test('gauges that count requests, seats, connections and keys are added up over serving threads, and no others', () => {
  const metrics = declareServerMetrics(sources);
  const shared = metrics.shared();
  const gauges = [...metrics.declared()].filter(({ type }) => type === 'gauge');
  const names = gauges.map(({ declaration }) => declaration.name);
  assert.deepEqual(names.filter((name) => !shared.has(name)).sort(), [
    'apiserver_current_inflight_requests',
    'apiserver_current_inqueue_requests',
    'apiserver_envelope_encryption_dek_source_cache_size',
    'apiserver_flowcontrol_current_executing_requests',
    'apiserver_flowcontrol_current_executing_seats',
    'apiserver_flowcontrol_current_inqueue_requests',
    'apiserver_flowcontrol_current_inqueue_seats',
    'apiserver_flowcontrol_current_limit_seats',
    'apiserver_flowcontrol_demand_seats_average',
    'apiserver_flowcontrol_demand_seats_high_watermark',
    'apiserver_flowcontrol_demand_seats_smoothed',
    'apiserver_flowcontrol_demand_seats_stdev',
    'apiserver_flowcontrol_target_seats',
    'apiserver_longrunning_requests',
    'authentication_token_cache_active_fetch_count',
    'keelson_held_bytes',
    'keelson_held_bytes_limit',
    'keelson_tls_handshakes_held',
    'keelson_tls_handshakes_in_progress',
    'keelson_tls_handshakes_waiting',
    'workqueue_depth',
    'workqueue_unfinished_work_seconds',
  ]);
});

test('the metrics page is well formed: each metric once, with help and type before its samples', () => {
  const lines = declareServerMetrics(sources).text().split('\n');
  assert.equal(lines.pop(), '');
  const seen = new Set<string>();
  let name = '';
  for (const [index, line] of lines.entries()) {
    const help = /^# HELP (\S+) \[(ALPHA|BETA|STABLE)\] \S/.exec(line);
    if (help !== null) {
      name = help[1]!;
      assert.ok(!seen.has(name), name);
      seen.add(name);
      assert.match(lines[index + 1]!, new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`));
    } else if (!line.startsWith('# TYPE')) {
      assert.match(line, new RegExp(`^${name}(_bucket|_sum|_count)?(\\{.*\\})? \\S+$`));
    }
  }
});
