// The metrics of later releases of Kubernetes: how they differ from those of the release served by default. Written by
// `npm run kubernetes`.

import { lookup } from '../base/lookup.ts';
import type { MetricHistory } from './declared-metric.ts';

/** By the name of the metric. */
export const METRIC_HISTORY: Readonly<Record<string, MetricHistory>> = lookup<MetricHistory>({
  aggregator_discovery_nopeer_requests_total: { since: 35 },
  aggregator_discovery_peer_aggregated_cache_hits_total: { since: 35 },
  aggregator_discovery_peer_aggregated_cache_misses_total: { since: 35 },
  apiserver_cache_list_fetched_objects_total: { changes: [{ since: 37, deprecatedIn: '1.37.0' }] },
  apiserver_cache_list_returned_objects_total: { changes: [{ since: 37, deprecatedIn: '1.37.0' }] },
  apiserver_cache_list_total: { changes: [{ since: 37, deprecatedIn: '1.37.0' }] },
  apiserver_flowcontrol_request_concurrency_in_use: { until: 36 },
  apiserver_flowcontrol_request_concurrency_limit: { until: 36 },
  apiserver_impersonation_attempts_duration_seconds: { since: 36 },
  apiserver_impersonation_attempts_total: { since: 36 },
  apiserver_impersonation_authorization_attempts_duration_seconds: { since: 36 },
  apiserver_impersonation_authorization_attempts_total: { since: 36 },
  apiserver_manifest_admission_config_controller_automatic_reload_last_timestamp_seconds: { since: 36 },
  apiserver_manifest_admission_config_controller_automatic_reloads_total: { since: 36 },
  apiserver_manifest_admission_config_controller_last_config_info: { since: 36 },
  apiserver_peer_discovery_sync_errors_total: { since: 36 },
  apiserver_peer_proxy_errors_total: { since: 36 },
  apiserver_request_slo_duration_seconds: { until: 36 },
  apiserver_rerouted_request_total: {
    labels: ['code'],
    changes: [{ since: 36, labels: ['code', 'group', 'resource', 'version'] }],
  },
  apiserver_storage_db_total_size_in_bytes: { until: 36 },
  apiserver_storage_events_received_total: {
    changes: [{ since: 36, stability: 'BETA', help: 'Number of etcd events received split by kind.' }],
  },
  apiserver_storage_list_duration_seconds: { since: 37 },
  apiserver_storage_list_evaluated_objects_total: {
    labels: ['group', 'resource'],
    changes: [{ since: 37, labels: ['group', 'resource', 'storage'] }],
  },
  apiserver_storage_list_fetched_objects_total: {
    labels: ['group', 'resource'],
    changes: [{ since: 37, labels: ['group', 'index', 'resource', 'storage'] }],
  },
  apiserver_storage_list_returned_objects_total: {
    labels: ['group', 'resource'],
    changes: [{ since: 37, labels: ['group', 'resource', 'storage'] }],
  },
  apiserver_storage_list_total: {
    labels: ['group', 'resource'],
    changes: [{ since: 37, labels: ['group', 'index', 'resource', 'storage'] }],
  },
  apiserver_storage_objects: { changes: [{ since: 35, deprecatedIn: '1.34.0' }] },
  apiserver_validation_declarative_validation_panics_total: { since: 35 },
  apiserver_validation_declarative_validation_parity_discrepancies_total: { since: 35 },
  apiserver_validation_duplicate_validation_error_total: { since: 35 },
  apiserver_watch_cache_initialization_duration_seconds: { since: 37 },
  apiserver_watch_cache_initialization_errors_total: { since: 37 },
  apiserver_watch_events_dispatch_duration_seconds: { since: 37 },
  apiserver_watch_events_sizes: {
    changes: [{ since: 37, stability: 'BETA', help: 'Watch event size distribution in bytes' }],
  },
  apiserver_watch_events_total: {
    changes: [{ since: 37, stability: 'BETA', help: 'Number of events sent in watch clients' }],
  },
  apiserver_watch_filtered_events_total: { since: 36 },
  apiserver_watch_list_duration_seconds: {
    changes: [
      {
        since: 36,
        stability: 'BETA',
        help: 'Response latency distribution in seconds for watch list requests broken by group, version, resource and scope.',
      },
      {
        since: 37,
        bounds: [
          0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300,
        ],
      },
    ],
  },
  apiserver_watch_shards_total: { since: 36 },
  apiserver_webhooks_x509_insecure_sha1_total: {
    changes: [
      {
        since: 37,
        stability: 'BETA',
        help: 'Counts the number of requests to servers with insecure SHA1 signatures in their serving certificate OR the number of connection failures due to the insecure SHA1 signatures (either/or, based on the runtime environment)',
      },
    ],
  },
  apiserver_webhooks_x509_missing_san_total: {
    changes: [
      {
        since: 37,
        stability: 'BETA',
        help: 'Counts the number of requests to servers missing SAN extension in their serving certificate OR the number of connection failures due to the lack of x509 certificate SAN extension missing (either/or, based on the runtime environment)',
      },
    ],
  },
  apiserver_websocket_streaming_requests_total: { since: 36 },
  etcd_bookmark_counts: { changes: [{ since: 36, deprecatedIn: '1.36.0' }] },
  etcd_bookmark_total: { since: 36 },
  informer_processing_latency_seconds: { since: 36 },
  informer_queued_items: { since: 36 },
  informer_store_resource_version: { since: 36 },
  kube_apiserver_pod_logs_pods_logs_backend_tls_failure_total: { until: 36 },
  kube_apiserver_pod_logs_pods_logs_insecure_backend_total: { until: 36 },
  kubernetes_build_info: {
    changes: [
      {
        since: 36,
        stability: 'BETA',
        help: "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
      },
    ],
  },
  rest_client_exec_plugin_policy_call_total: { since: 35 },
  rest_client_transport_ca_reload_total: { since: 36 },
  rest_client_transport_cache_gc_calls_total: { since: 36 },
  rest_client_transport_cert_rotation_gc_calls_total: { since: 36 },
  running_managed_controllers: {
    changes: [
      { since: 36, stability: 'BETA', help: 'Indicates where instances of a controller are currently running' },
    ],
  },
  serviceaccount_legacy_tokens_total: {
    changes: [{ since: 37, stability: 'BETA', help: 'Cumulative legacy service account tokens used' }],
  },
  serviceaccount_stale_tokens_total: {
    changes: [{ since: 37, stability: 'BETA', help: 'Cumulative stale projected service account tokens used' }],
  },
  serviceaccount_valid_tokens_total: {
    changes: [{ since: 37, stability: 'BETA', help: 'Cumulative valid projected service account tokens used' }],
  },
  workqueue_adds_total: {
    changes: [{ since: 36, stability: 'BETA', help: 'Total number of adds handled by workqueue' }],
  },
  workqueue_depth: { changes: [{ since: 36, stability: 'BETA', help: 'Current depth of workqueue' }] },
  workqueue_longest_running_processor_seconds: {
    changes: [
      {
        since: 36,
        stability: 'BETA',
        help: 'How many seconds has the longest running processor for workqueue been running.',
      },
    ],
  },
  workqueue_queue_duration_seconds: {
    changes: [
      { since: 36, stability: 'BETA', help: 'How long in seconds an item stays in workqueue before being requested.' },
    ],
  },
  workqueue_retries_total: {
    changes: [{ since: 36, stability: 'BETA', help: 'Total number of retries handled by workqueue' }],
  },
  workqueue_unfinished_work_seconds: {
    changes: [
      {
        since: 36,
        stability: 'BETA',
        help: "How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
      },
    ],
  },
  workqueue_work_duration_seconds: {
    changes: [{ since: 36, stability: 'BETA', help: 'How long in seconds processing an item from workqueue takes.' }],
  },
});
