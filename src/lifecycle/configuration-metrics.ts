// Metrics of configuration files that are reloaded, with kube-apiserver's names.

import type { MetricRegistry } from './metrics.ts';

export type ConfigurationMetrics = ReturnType<typeof declareConfigurationMetrics>;

/** The hashes of this server's ID and of the current file, each as `sha256:…`. */
export interface ConfigurationHashes {
  readonly serverIdHash: string;
  readonly hash: string;
}

/** @param subject `authentication` or `authorization` */
export function declareConfigurationMetrics(registry: MetricRegistry, subject: 'authentication' | 'authorization') {
  const prefix = `apiserver_${subject}_config_controller`;
  const labels = ['status', 'apiserver_id_hash'] as const;
  const stability = 'BETA' as const;
  const reloads = registry.counter({
    name: `${prefix}_automatic_reloads_total`,
    help: `Total number of automatic reloads of ${subject} configuration split by status and apiserver identity.`,
    stability,
    labels,
  });
  const lastReload = registry.gauge({
    name: `${prefix}_automatic_reload_last_timestamp_seconds`,
    help: `Timestamp of the last automatic reload of ${subject} configuration split by status and apiserver identity.`,
    stability,
    sharedByThreads: true,
    labels,
  });
  const info = registry.gauge({
    name: `${prefix}_last_config_info`,
    help: `The hash of the ${subject} configuration in use, by server.`,
    stability: 'ALPHA',
    sharedByThreads: true,
    labels: ['apiserver_id_hash', 'hash'],
  });
  let shown: string | undefined;
  return {
    /** Records the configuration in use. */
    loaded({ serverIdHash, hash }: ConfigurationHashes): void {
      if (shown !== undefined && shown !== hash) info.remove({ apiserver_id_hash: serverIdHash, hash: shown });
      info.with({ apiserver_id_hash: serverIdHash, hash }).set(1);
      shown = hash;
    },
    /**
     * Records that a changed configuration was loaded, at a time in seconds since the Unix epoch, or failed to load.
     */
    reloaded(status: 'success' | 'failure', serverIdHash: string, nowSeconds: number): void {
      const values = { status, apiserver_id_hash: serverIdHash };
      reloads.with(values).add();
      lastReload.with(values).set(nowSeconds);
    },
  };
}
