// Metrics of KMS plugins, with kube-apiserver's names, labels and buckets.

import type { Clock } from '../base/clock.ts';
import type { MetricRegistry } from './metrics.ts';

export type KmsMetrics = ReturnType<typeof declareKmsMetrics>;

/** A tenth of a millisecond, doubled 19 times. */
const callSeconds = Array.from({ length: 20 }, (_, index) => 1e-4 * 2 ** index);

/** 5 microseconds, doubled 13 times. */
const keySeconds = Array.from({ length: 14 }, (_, index) => 5e-6 * 2 ** index);

/** A key of a plugin, as seen by one server. Only hashes of both IDs are reported, as `sha256:…`. */
export interface KeyInUse {
  readonly provider: string;
  readonly keyHash: string;
  /** Of the server's ID. */
  readonly serverIdHash: string;
}

export function declareKmsMetrics(registry: MetricRegistry, clock: Clock) {
  const keys = declareKeys(registry);
  const calls = registry.histogram(
    {
      name: 'apiserver_envelope_encryption_kms_operations_latency_seconds',
      help: 'Latency of calls of KMS plugins in seconds, by plugin, method and response code.',
      stability: 'ALPHA',
      labels: ['provider_name', 'method_name', 'grpc_status_code'],
    },
    callSeconds,
  );
  const misses = registry.counter({
    name: 'apiserver_storage_envelope_transformation_cache_misses_total',
    help: 'Data encryption keys and seeds that were not cached, so that a KMS plugin had to decrypt them.',
    stability: 'ALPHA',
  });
  const valueKeys = declareValueKeys(registry);
  const nowSeconds = () => clock.now() / 1_000;
  const labelsOf = ({ provider, keyHash, serverIdHash }: KeyInUse) => ({
    provider_name: provider,
    key_id_hash: keyHash,
    apiserver_id_hash: serverIdHash,
  });
  return {
    called(call: { provider: string; method: string; code: string; seconds: number }): void {
      const labels = { provider_name: call.provider, method_name: call.method, grpc_status_code: call.code };
      calls.with(labels).observe(call.seconds);
    },
    /** A value was read or written with a key. */
    used(use: KeyInUse & { direction: 'from_storage' | 'to_storage' }): void {
      const labels = { transformation_type: use.direction, ...labelsOf(use) };
      keys.uses.with(labels).add();
      keys.lastUse.with(labels).set(nowSeconds());
    },
    /** A plugin reported its current key. */
    shown(key: KeyInUse): void {
      keys.lastStatus.with(labelsOf(key)).set(nowSeconds());
    },
    /** A plugin reported an invalid key ID. */
    refused(provider_name: string, error: string): void {
      keys.invalid.with({ provider_name, error }).add();
    },
    /** The number of cached decrypted keys and seeds. */
    kept(provider_name: string, count: number): void {
      keys.kept.with({ provider_name }).set(count);
    },
    missed(): void {
      misses.with({}).add();
    },
    /** A data key was generated for a KMS v1 plugin. */
    keyMade(seconds: number): void {
      valueKeys.made.with({}).observe(seconds);
    },
    /** A data key could not be generated. */
    keyFailed(): void {
      valueKeys.failed.with({}).add();
    },
    /** The fraction of the cache of decrypted data keys in use, from 0 to 1. */
    filled(share: number): void {
      valueKeys.fill.with({}).set(share);
    },
  };
}

/** Metrics of data keys, which only KMS v1 plugins use. */
function declareValueKeys(registry: MetricRegistry) {
  return {
    made: registry.histogram(
      {
        name: 'apiserver_storage_data_key_generation_duration_seconds',
        help: 'Time to generate data encryption keys in seconds.',
        stability: 'ALPHA',
      },
      keySeconds,
    ),
    failed: registry.counter({
      name: 'apiserver_storage_data_key_generation_failures_total',
      help: 'Failed generations of data encryption keys.',
      stability: 'ALPHA',
    }),
    fill: registry.gauge({
      name: 'apiserver_envelope_encryption_dek_cache_fill_percent',
      help: 'Fraction of the cache of decrypted data keys in use.',
      stability: 'ALPHA',
      sharedByThreads: true,
    }),
  };
}

function declareKeys(registry: MetricRegistry) {
  return {
    uses: registry.counter({
      name: 'apiserver_envelope_encryption_key_id_hash_total',
      help: 'Uses of a KMS key, by direction, plugin and server.',
      stability: 'ALPHA',
      labels: ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'],
    }),
    lastUse: registry.gauge({
      name: 'apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds',
      help: 'Time of the last use of a KMS key, in seconds since the Unix epoch.',
      stability: 'ALPHA',
      sharedByThreads: true,
      labels: ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'],
    }),
    lastStatus: registry.gauge({
      name: 'apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds',
      help: 'Time of the last status response with a KMS key, in seconds since the Unix epoch.',
      stability: 'ALPHA',
      sharedByThreads: true,
      labels: ['provider_name', 'key_id_hash', 'apiserver_id_hash'],
    }),
    invalid: registry.counter({
      name: 'apiserver_envelope_encryption_invalid_key_id_from_status_total',
      help: 'Invalid key IDs in status responses of KMS plugins, by plugin and reason.',
      stability: 'ALPHA',
      labels: ['provider_name', 'error'],
    }),
    kept: registry.gauge({
      name: 'apiserver_envelope_encryption_dek_source_cache_size',
      help: 'Cached data encryption keys and seeds that a KMS plugin has decrypted.',
      stability: 'ALPHA',
      labels: ['provider_name'],
    }),
  };
}
