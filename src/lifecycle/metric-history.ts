// The metrics of Kubernetes that not all known releases have, or not in the same way. Written by `npm run kubernetes`.

import { lookup } from '../base/lookup.ts';
import type { MetricHistory } from './declared-metric.ts';

/** By the name of the metric. */
export const METRIC_HISTORY: Readonly<Record<string, MetricHistory>> = lookup<MetricHistory>({
  aggregator_discovery_nopeer_requests_total: { since: 35 },
  aggregator_discovery_peer_aggregated_cache_hits_total: { since: 35 },
  aggregator_discovery_peer_aggregated_cache_misses_total: { since: 35 },
  apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds: {
    since: 30,
    stability: 'ALPHA',
    changes: [
      {
        since: 34,
        stability: 'BETA',
        help: 'Timestamp of the last automatic reload of authentication configuration split by status and apiserver identity.',
      },
    ],
  },
  apiserver_authentication_config_controller_automatic_reloads_total: {
    since: 30,
    stability: 'ALPHA',
    changes: [
      {
        since: 34,
        stability: 'BETA',
        help: 'Total number of automatic reloads of authentication configuration split by status and apiserver identity.',
      },
    ],
  },
  apiserver_authentication_config_controller_last_config_info: { since: 34 },
  apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info: { since: 35 },
  apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds: { since: 35 },
  apiserver_authentication_jwt_authenticator_latency_seconds: { since: 30 },
  apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds: {
    since: 30,
    stability: 'ALPHA',
    changes: [
      {
        since: 34,
        stability: 'BETA',
        help: 'Timestamp of the last automatic reload of authorization configuration split by status and apiserver identity.',
      },
    ],
  },
  apiserver_authorization_config_controller_automatic_reloads_total: {
    since: 30,
    stability: 'ALPHA',
    changes: [
      {
        since: 34,
        stability: 'BETA',
        help: 'Total number of automatic reloads of authorization configuration split by status and apiserver identity.',
      },
    ],
  },
  apiserver_authorization_config_controller_last_config_info: { since: 34 },
  apiserver_authorization_decisions_total: { since: 30 },
  apiserver_authorization_match_condition_evaluation_errors_total: { since: 30 },
  apiserver_authorization_match_condition_evaluation_seconds: { since: 30 },
  apiserver_authorization_match_condition_exclusions_total: { since: 30 },
  apiserver_authorization_webhook_duration_seconds: { since: 30 },
  apiserver_authorization_webhook_evaluations_fail_open_total: { since: 30 },
  apiserver_authorization_webhook_evaluations_total: { since: 30 },
  apiserver_cache_list_fetched_objects_total: {
    labels: ['index', 'resource_prefix'],
    changes: [
      { since: 34, labels: ['group', 'index', 'resource'] },
      { since: 37, deprecatedIn: '1.37.0' },
    ],
  },
  apiserver_cache_list_returned_objects_total: {
    labels: ['resource_prefix'],
    changes: [
      { since: 34, labels: ['group', 'resource'] },
      { since: 37, deprecatedIn: '1.37.0' },
    ],
  },
  apiserver_cache_list_total: {
    labels: ['index', 'resource_prefix'],
    changes: [
      { since: 34, labels: ['group', 'index', 'resource'] },
      { since: 37, deprecatedIn: '1.37.0' },
    ],
  },
  apiserver_cel_compilation_duration_seconds: {
    stability: 'ALPHA',
    changes: [{ since: 31, stability: 'BETA', help: 'CEL compilation time in seconds.' }],
  },
  apiserver_cel_evaluation_duration_seconds: {
    stability: 'ALPHA',
    changes: [{ since: 31, stability: 'BETA', help: 'CEL evaluation time in seconds.' }],
  },
  apiserver_encryption_config_controller_automatic_reload_failures_total: {
    until: 33,
    changes: [{ since: 30, deprecatedIn: '1.30.0' }],
  },
  apiserver_encryption_config_controller_automatic_reload_success_total: {
    until: 33,
    changes: [{ since: 30, deprecatedIn: '1.30.0' }],
  },
  apiserver_encryption_config_controller_automatic_reloads_total: { since: 30 },
  apiserver_encryption_config_controller_last_config_info: { since: 34 },
  apiserver_externaljwt_fetch_keys_data_timestamp: { since: 32 },
  apiserver_externaljwt_fetch_keys_request_total: { since: 32 },
  apiserver_externaljwt_fetch_keys_success_timestamp: { since: 32 },
  apiserver_externaljwt_request_duration_seconds: { since: 32 },
  apiserver_externaljwt_sign_request_total: { since: 32 },
  apiserver_flowcontrol_request_concurrency_in_use: { until: 36 },
  apiserver_flowcontrol_request_concurrency_limit: { until: 36 },
  apiserver_flowcontrol_work_estimated_seats: {
    bounds: [1, 2, 4, 10],
    changes: [{ since: 34, bounds: [1, 2, 4, 8, 16, 32, 64, 100] }],
  },
  apiserver_impersonation_attempts_duration_seconds: { since: 36 },
  apiserver_impersonation_attempts_total: { since: 36 },
  apiserver_impersonation_authorization_attempts_duration_seconds: { since: 36 },
  apiserver_impersonation_authorization_attempts_total: { since: 36 },
  apiserver_init_events_total: { labels: ['resource'], changes: [{ since: 34, labels: ['group', 'resource'] }] },
  apiserver_manifest_admission_config_controller_automatic_reload_last_timestamp_seconds: { since: 36 },
  apiserver_manifest_admission_config_controller_automatic_reloads_total: { since: 36 },
  apiserver_manifest_admission_config_controller_last_config_info: { since: 36 },
  apiserver_mutating_admission_policy_check_duration_seconds: { since: 34 },
  apiserver_mutating_admission_policy_check_total: { since: 34 },
  apiserver_peer_discovery_sync_errors_total: { since: 36 },
  apiserver_peer_proxy_errors_total: { since: 36 },
  apiserver_request_body_size_bytes: {
    labels: ['resource', 'verb'],
    changes: [{ since: 34, labels: ['group', 'resource', 'verb'] }],
  },
  apiserver_request_slo_duration_seconds: { until: 36 },
  apiserver_rerouted_request_total: {
    labels: ['code'],
    changes: [{ since: 36, labels: ['code', 'group', 'resource', 'version'] }],
  },
  apiserver_resource_objects: { since: 34 },
  apiserver_resource_size_estimate_bytes: { since: 34 },
  apiserver_selfrequest_total: {
    labels: ['resource', 'subresource', 'verb'],
    changes: [{ since: 34, labels: ['group', 'resource', 'subresource', 'verb'] }],
  },
  apiserver_storage_consistency_checks_total: {
    since: 33,
    stability: 'INTERNAL',
    labels: ['resource', 'status'],
    changes: [{ since: 34, stability: 'ALPHA', labels: ['group', 'resource', 'status'] }],
  },
  apiserver_storage_db_total_size_in_bytes: { until: 36 },
  apiserver_storage_decode_errors_total: {
    labels: ['resource'],
    changes: [{ since: 34, labels: ['group', 'resource'] }],
  },
  apiserver_storage_events_received_total: {
    stability: 'ALPHA',
    labels: ['resource'],
    changes: [
      { since: 34, labels: ['group', 'resource'] },
      { since: 36, stability: 'BETA', help: 'Number of etcd events received split by kind.' },
    ],
  },
  apiserver_storage_list_duration_seconds: { since: 37 },
  apiserver_storage_list_evaluated_objects_total: {
    labels: ['resource'],
    changes: [
      { since: 34, labels: ['group', 'resource'] },
      { since: 37, labels: ['group', 'resource', 'storage'] },
    ],
  },
  apiserver_storage_list_fetched_objects_total: {
    labels: ['resource'],
    changes: [
      { since: 34, labels: ['group', 'resource'] },
      { since: 37, labels: ['group', 'index', 'resource', 'storage'] },
    ],
  },
  apiserver_storage_list_returned_objects_total: {
    labels: ['resource'],
    changes: [
      { since: 34, labels: ['group', 'resource'] },
      { since: 37, labels: ['group', 'resource', 'storage'] },
    ],
  },
  apiserver_storage_list_total: {
    labels: ['resource'],
    changes: [
      { since: 34, labels: ['group', 'resource'] },
      { since: 37, labels: ['group', 'index', 'resource', 'storage'] },
    ],
  },
  apiserver_storage_objects: {
    help: 'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
    changes: [
      {
        since: 34,
        help: '[DEPRECATED, consider using apiserver_resource_objects instead] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
      },
      { since: 35, deprecatedIn: '1.34.0' },
    ],
  },
  apiserver_storage_size_bytes: { stability: 'ALPHA', changes: [{ since: 30, stability: 'STABLE' }] },
  apiserver_storage_transformation_operations_total: {
    labels: ['status', 'transformation_type', 'transformer_prefix'],
    changes: [{ since: 32, labels: ['resource', 'status', 'transformation_type', 'transformer_prefix'] }],
  },
  apiserver_stream_translator_requests_total: { since: 30 },
  apiserver_stream_tunnel_requests_total: { since: 31 },
  apiserver_terminated_watchers_total: {
    labels: ['resource'],
    changes: [{ since: 34, labels: ['group', 'resource'] }],
  },
  apiserver_validating_admission_policy_check_duration_seconds: {
    stability: 'ALPHA',
    labels: ['enforcement_action', 'policy', 'policy_binding', 'state'],
    changes: [
      {
        since: 31,
        stability: 'BETA',
        labels: ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
        help: 'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
      },
    ],
  },
  apiserver_validating_admission_policy_check_total: {
    stability: 'ALPHA',
    labels: ['enforcement_action', 'policy', 'policy_binding', 'state'],
    changes: [
      {
        since: 31,
        stability: 'BETA',
        labels: ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
        help: 'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
      },
    ],
  },
  apiserver_validating_admission_policy_definition_total: { until: 30 },
  apiserver_validation_declarative_validation_mismatch_total: { since: 33 },
  apiserver_validation_declarative_validation_panic_total: { since: 33 },
  apiserver_validation_declarative_validation_panics_total: { since: 35 },
  apiserver_validation_declarative_validation_parity_discrepancies_total: { since: 35 },
  apiserver_validation_duplicate_validation_error_total: { since: 35 },
  apiserver_watch_cache_consistent_read_total: {
    since: 31,
    labels: ['fallback', 'resource', 'success'],
    changes: [{ since: 34, labels: ['fallback', 'group', 'resource', 'success'] }],
  },
  apiserver_watch_cache_events_dispatched_total: {
    labels: ['resource'],
    changes: [{ since: 34, labels: ['group', 'resource'] }],
  },
  apiserver_watch_cache_events_received_total: {
    labels: ['resource'],
    changes: [{ since: 34, labels: ['group', 'resource'] }],
  },
  apiserver_watch_cache_initialization_duration_seconds: { since: 37 },
  apiserver_watch_cache_initialization_errors_total: { since: 37 },
  apiserver_watch_cache_initializations_total: {
    labels: ['resource'],
    changes: [{ since: 34, labels: ['group', 'resource'] }],
  },
  apiserver_watch_cache_read_wait_seconds: {
    since: 30,
    labels: ['resource'],
    changes: [{ since: 34, labels: ['group', 'resource'] }],
  },
  apiserver_watch_cache_resource_version: {
    since: 31,
    labels: ['resource'],
    changes: [{ since: 34, labels: ['group', 'resource'] }],
  },
  apiserver_watch_events_dispatch_duration_seconds: { since: 37 },
  apiserver_watch_events_sizes: {
    stability: 'ALPHA',
    labels: ['group', 'kind', 'version'],
    changes: [
      { since: 34, labels: ['group', 'resource', 'version'] },
      { since: 37, stability: 'BETA', help: 'Watch event size distribution in bytes' },
    ],
  },
  apiserver_watch_events_total: {
    stability: 'ALPHA',
    labels: ['group', 'kind', 'version'],
    changes: [
      { since: 34, labels: ['group', 'resource', 'version'] },
      { since: 37, stability: 'BETA', help: 'Number of events sent in watch clients' },
    ],
  },
  apiserver_watch_filtered_events_total: { since: 36 },
  apiserver_watch_list_duration_seconds: {
    stability: 'ALPHA',
    bounds: [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60],
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
    stability: 'ALPHA',
    changes: [
      {
        since: 37,
        stability: 'BETA',
        help: 'Counts the number of requests to servers with insecure SHA1 signatures in their serving certificate OR the number of connection failures due to the insecure SHA1 signatures (either/or, based on the runtime environment)',
      },
    ],
  },
  apiserver_webhooks_x509_missing_san_total: {
    stability: 'ALPHA',
    changes: [
      {
        since: 37,
        stability: 'BETA',
        help: 'Counts the number of requests to servers missing SAN extension in their serving certificate OR the number of connection failures due to the lack of x509 certificate SAN extension missing (either/or, based on the runtime environment)',
      },
    ],
  },
  apiserver_websocket_streaming_requests_total: { since: 36 },
  etcd_bookmark_counts: {
    labels: ['resource'],
    changes: [
      { since: 34, labels: ['group', 'resource'] },
      { since: 36, deprecatedIn: '1.36.0' },
    ],
  },
  etcd_bookmark_total: { since: 36 },
  etcd_request_duration_seconds: {
    labels: ['operation', 'type'],
    changes: [{ since: 34, labels: ['group', 'operation', 'resource'] }],
  },
  etcd_request_errors_total: {
    labels: ['operation', 'type'],
    changes: [{ since: 34, labels: ['group', 'operation', 'resource'] }],
  },
  etcd_requests_total: {
    labels: ['operation', 'type'],
    changes: [{ since: 34, labels: ['group', 'operation', 'resource'] }],
  },
  informer_processing_latency_seconds: { since: 36 },
  informer_queued_items: { since: 36 },
  informer_store_resource_version: { since: 36 },
  kube_apiserver_clusterip_allocator_allocation_duration_seconds: { since: 31 },
  kube_apiserver_pod_logs_pods_logs_backend_tls_failure_total: { until: 36 },
  kube_apiserver_pod_logs_pods_logs_insecure_backend_total: { until: 36 },
  kubernetes_build_info: {
    stability: 'ALPHA',
    changes: [
      {
        since: 36,
        stability: 'BETA',
        help: "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
      },
    ],
  },
  leader_election_slowpath_total: { since: 30 },
  rest_client_exec_plugin_policy_call_total: { since: 35 },
  rest_client_transport_ca_reload_total: { since: 36 },
  rest_client_transport_cache_gc_calls_total: { since: 36 },
  rest_client_transport_cert_rotation_gc_calls_total: { since: 36 },
  running_managed_controllers: {
    stability: 'ALPHA',
    changes: [
      { since: 36, stability: 'BETA', help: 'Indicates where instances of a controller are currently running' },
    ],
  },
  serviceaccount_legacy_tokens_total: {
    stability: 'ALPHA',
    changes: [{ since: 37, stability: 'BETA', help: 'Cumulative legacy service account tokens used' }],
  },
  serviceaccount_stale_tokens_total: {
    stability: 'ALPHA',
    changes: [{ since: 37, stability: 'BETA', help: 'Cumulative stale projected service account tokens used' }],
  },
  serviceaccount_valid_tokens_total: {
    stability: 'ALPHA',
    changes: [{ since: 37, stability: 'BETA', help: 'Cumulative valid projected service account tokens used' }],
  },
  version_info: { since: 34 },
  watch_cache_capacity: { labels: ['resource'], changes: [{ since: 34, labels: ['group', 'resource'] }] },
  watch_cache_capacity_decrease_total: {
    labels: ['resource'],
    changes: [{ since: 34, labels: ['group', 'resource'] }],
  },
  watch_cache_capacity_increase_total: {
    labels: ['resource'],
    changes: [{ since: 34, labels: ['group', 'resource'] }],
  },
  workqueue_adds_total: {
    stability: 'ALPHA',
    changes: [{ since: 36, stability: 'BETA', help: 'Total number of adds handled by workqueue' }],
  },
  workqueue_depth: {
    stability: 'ALPHA',
    changes: [{ since: 36, stability: 'BETA', help: 'Current depth of workqueue' }],
  },
  workqueue_longest_running_processor_seconds: {
    stability: 'ALPHA',
    changes: [
      {
        since: 36,
        stability: 'BETA',
        help: 'How many seconds has the longest running processor for workqueue been running.',
      },
    ],
  },
  workqueue_queue_duration_seconds: {
    stability: 'ALPHA',
    changes: [
      { since: 36, stability: 'BETA', help: 'How long in seconds an item stays in workqueue before being requested.' },
    ],
  },
  workqueue_retries_total: {
    stability: 'ALPHA',
    changes: [{ since: 36, stability: 'BETA', help: 'Total number of retries handled by workqueue' }],
  },
  workqueue_unfinished_work_seconds: {
    stability: 'ALPHA',
    changes: [
      {
        since: 36,
        stability: 'BETA',
        help: "How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
      },
    ],
  },
  workqueue_work_duration_seconds: {
    stability: 'ALPHA',
    changes: [{ since: 36, stability: 'BETA', help: 'How long in seconds processing an item from workqueue takes.' }],
  },
});
