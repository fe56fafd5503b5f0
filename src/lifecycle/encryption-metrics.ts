// Metrics of encryption at rest, with kube-apiserver's names, labels and buckets.

import type { Clock } from '../base/clock.ts';
import { declareKmsMetrics } from './kms-metrics.ts';
import type { MetricRegistry } from './metrics.ts';

export interface Transformation {
  /** `secrets`, `deployments.apps`. */
  readonly resource: string;
  readonly direction: 'from_storage' | 'to_storage';
  /** The prefix of the provider and that of the key. */
  readonly prefix: string;
  readonly seconds: number;
  readonly error: Error | undefined;
}

export type EncryptionMetrics = ReturnType<typeof declareEncryptionMetrics>;

/** 5 microseconds, doubled 24 times. */
const transformationSeconds = Array.from({ length: 25 }, (_, index) => 5e-6 * 2 ** index);

/** The configuration in use. */
export interface ConfigurationInUse {
  /** Of the file, as `sha256:…`. */
  readonly hash: string;
  /** The hash of this server's ID, as `sha256:…`. */
  readonly serverIdHash: string;
}

export function declareEncryptionMetrics(registry: MetricRegistry, clock: Clock) {
  const { operations, durations } = declareTransformations(registry);
  const { reloads, lastReload, info } = declareConfiguration(registry);
  let shown: string | undefined;
  const show = ({ hash, serverIdHash: apiserver_id_hash }: ConfigurationInUse): void => {
    if (shown !== undefined && shown !== hash) info.remove({ apiserver_id_hash, hash: shown });
    info.with({ apiserver_id_hash, hash }).set(1);
    shown = hash;
  };
  return {
    kms: declareKmsMetrics(registry, clock),
    transformed({ resource, direction, prefix, seconds, error }: Transformation): void {
      const labels = { transformation_type: direction, transformer_prefix: prefix };
      operations.with({ resource, ...labels, status: error === undefined ? 'OK' : 'unknown-non-grpc' }).add();
      if (error === undefined) durations.with(labels).observe(seconds);
    },
    /** Records the configuration in use. */
    loaded: show,
    /**
     * Records that a changed configuration was loaded, at a time in seconds since the Unix epoch, or failed to load.
     */
    reloaded(status: 'success' | 'failure', inUse: ConfigurationInUse & { nowSeconds: number }): void {
      const labels = { status, apiserver_id_hash: inUse.serverIdHash };
      reloads.with(labels).add();
      lastReload.with(labels).set(inUse.nowSeconds);
      show(inUse);
    },
  };
}

function declareTransformations(registry: MetricRegistry) {
  return {
    operations: registry.counter({
      name: 'apiserver_storage_transformation_operations_total',
      help: 'Transformations of stored values, by resource and provider; the status is OK or the failure.',
      stability: 'ALPHA',
      labels: ['resource', 'transformation_type', 'transformer_prefix', 'status'],
    }),
    durations: registry.histogram(
      {
        name: 'apiserver_storage_transformation_duration_seconds',
        help: 'Latency of transformations of stored values in seconds.',
        stability: 'ALPHA',
        labels: ['transformation_type', 'transformer_prefix'],
      },
      transformationSeconds,
    ),
  };
}

function declareConfiguration(registry: MetricRegistry) {
  return {
    reloads: registry.counter({
      name: 'apiserver_encryption_config_controller_automatic_reloads_total',
      help: 'Times that the encryption configuration was reloaded, by status and server.',
      stability: 'ALPHA',
      labels: ['status', 'apiserver_id_hash'],
    }),
    lastReload: registry.gauge({
      name: 'apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds',
      help: 'When the encryption configuration was last reloaded, by status and server.',
      stability: 'ALPHA',
      sharedByThreads: true,
      labels: ['status', 'apiserver_id_hash'],
    }),
    info: registry.gauge({
      name: 'apiserver_encryption_config_controller_last_config_info',
      help: 'The hash of the encryption configuration in use, by server.',
      stability: 'ALPHA',
      sharedByThreads: true,
      labels: ['apiserver_id_hash', 'hash'],
    }),
  };
}
