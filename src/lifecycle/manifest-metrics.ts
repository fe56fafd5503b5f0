// Metrics of admission configuration on the server's disk, with kube-apiserver's names.

import type { ConfigurationHashes } from './configuration-metrics.ts';
import type { MetricRegistry } from './metrics.ts';

export type ManifestMetrics = ReturnType<typeof declareManifestMetrics>;

/** Those of all plugins that read manifests. */
export function declareManifestMetrics(registry: MetricRegistry) {
  const name = (end: string) => `apiserver_manifest_admission_config_controller_${end}`;
  const labels = ['status', 'plugin', 'apiserver_id_hash'] as const;
  const stability = 'ALPHA' as const;
  const reloads = registry.counter({
    name: name('automatic_reloads_total'),
    help: 'Times that admission manifests were loaded, by status, plugin and server.',
    stability,
    labels,
  });
  const lastReload = registry.gauge({
    name: name('automatic_reload_last_timestamp_seconds'),
    help: 'When admission manifests were last loaded, by status, plugin and server.',
    stability,
    sharedByThreads: true,
    labels,
  });
  const info = registry.gauge({
    name: name('last_config_info'),
    help: 'The hash of the admission manifests in use, by plugin and server.',
    stability,
    sharedByThreads: true,
    labels: ['plugin', 'apiserver_id_hash', 'hash'],
  });
  const shown = new Map<string, string>();
  return {
    /** Records the manifests of a plugin in use. */
    loaded(plugin: string, { serverIdHash, hash }: ConfigurationHashes): void {
      const old = shown.get(plugin);
      if (old !== undefined && old !== hash) info.remove({ plugin, apiserver_id_hash: serverIdHash, hash: old });
      info.with({ plugin, apiserver_id_hash: serverIdHash, hash }).set(1);
      shown.set(plugin, hash);
    },
    /** Records that manifests were loaded, at a time in seconds since the Unix epoch, or could not be. */
    reloaded(status: 'success' | 'failure', of: { plugin: string; serverIdHash: string; nowSeconds: number }): void {
      const values = { status, plugin: of.plugin, apiserver_id_hash: of.serverIdHash };
      reloads.with(values).add();
      lastReload.with(values).set(of.nowSeconds);
    },
  };
}
