// The manifests of all plugins that their configuration names folders for. Loaded only if it does.

import { hostname } from 'node:os';
import type { ManifestPlugin, Manifests } from '../../admission/manifests.ts';
import type { Clock } from '../../base/clock.ts';
import { goQuote } from '../../base/go-quote.ts';
import type { Log } from '../../base/log.ts';
import type { FeatureGates } from '../../lifecycle/feature-gates.ts';
import type { ManifestMetrics } from '../../lifecycle/manifest-metrics.ts';
import { serverIdHash } from '../encryption/server-id.ts';
import { FollowedManifests } from './followed-manifests.ts';
import { type ManifestReaderNeeds, readManifests } from './manifest-reader.ts';

/** By plugin; those without a folder are missing. */
export type AdmissionManifests = Readonly<Partial<Record<ManifestPlugin, Manifests>>>;

/** The absolute paths of folders. */
type ManifestFolders = Readonly<Partial<Record<ManifestPlugin, string>>>;

interface AdmissionManifestsNeeds extends ManifestReaderNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly gates: FeatureGates;
  readonly metrics: ManifestMetrics;
}

/**
 * Loads the manifests and follows them.
 * @param onStop receives what ends it
 * @throws Error with kube-apiserver's message if some cannot be used
 */
export async function followAdmissionManifests(
  folders: ManifestFolders,
  needs: AdmissionManifestsNeeds,
  onStop: (stop: () => void) => void,
): Promise<AdmissionManifests> {
  const followed: Partial<Record<ManifestPlugin, Manifests>> = {};
  for (const [name, folder] of Object.entries(folders)) {
    const plugin = name as ManifestPlugin;
    // Without its gate the plugin does nothing.
    if (plugin === 'MutatingAdmissionPolicy' && !needs.gates.enabled(plugin)) continue;
    const { clock, log, metrics } = needs;
    const read = () => readManifests(plugin, folder, needs);
    const options = { plugin, folder, read, clock, log, metrics, serverIdHash: serverIdHash(hostname()) };
    const manifests = await FollowedManifests.load(options).catch((error: unknown) => {
      const what = plugin.endsWith('Webhook') ? 'webhook' : 'policy';
      const why = `failed to load static ${what} manifests from ${goQuote(folder)}: ${(error as Error).message}`;
      throw new Error(`failed to apply admission: failed to initialize admission plugin ${goQuote(plugin)}: ${why}`);
    });
    onStop(() => manifests.stop());
    followed[plugin] = manifests;
  }
  return followed;
}
