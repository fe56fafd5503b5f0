// The APIs of a server: the emulated version, the feature gates and the catalog, which follows from both and from
// --runtime-config. Removed API versions are loaded only if an older version is emulated or the flag names one.

import { apiVersionOf } from '../api/group-version.ts';
import type { Log } from '../base/log.ts';
import { isRemoved } from '../lifecycle/api-lifecycles.ts';
import { requestedRelease } from '../lifecycle/emulated-version.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { CURRENT_MINOR, type Emulation, isCurrent } from '../lifecycle/version.ts';
import { isRemovedVersion } from '../resources/builtin/removed-kinds.ts';
import { type Catalog, createCatalog } from '../resources/catalog.ts';
import type { RemovedVersion } from '../resources/removed/removed-versions.ts';
import type { ServerOptions } from './options.ts';

interface ServedApis {
  readonly emulation: Emulation;
  readonly gates: FeatureGates;
  readonly catalog: Catalog;
}

/** @throws RuntimeConfigError for an invalid --runtime-config */
export async function servedApis(options: ServerOptions, log: Log): Promise<ServedApis> {
  const emulation = requestedRelease(options);
  const gates = new FeatureGates(options.featureGates, emulation);
  for (const warning of gates.warnings()) log.warn(warning);
  const catalog = await servedCatalog({ options, emulation, gates });
  for (const { definition, version } of catalog.entries()) {
    const groupVersion = apiVersionOf({ group: definition.group, version: version.version });
    if (!isRemoved(groupVersion, definition.kind, emulation.release)) continue;
    log.warn('serving an API version that the emulated release has removed', { groupVersion, kind: definition.kind });
  }
  return { emulation, gates, catalog };
}

async function servedCatalog(
  needs: Omit<ServedApis, 'catalog'> & { readonly options: ServerOptions },
): Promise<Catalog> {
  const { options, emulation, gates } = needs;
  const named = Object.keys(options.runtimeConfig).filter((key) => isRemovedVersion(key.split('/', 2).join('/')));
  const isNewest = isCurrent(emulation) && emulation.minor >= CURRENT_MINOR;
  const removedVersions = isNewest && named.length === 0 ? [] : await loadRemovedVersions();
  return createCatalog({
    runtimeConfig: options.runtimeConfig,
    emulation,
    gateEnabled: (gate) => gates.enabled(gate),
    emulationForwardCompatible: options.emulationForwardCompatible,
    runtimeConfigForwardCompatible: options.runtimeConfigEmulationForwardCompatible,
    oneMoreRelease: options.serveRemovedApisForOneRelease,
    removedVersions,
  });
}

async function loadRemovedVersions(): Promise<readonly RemovedVersion[]> {
  return (await import('../resources/removed/removed-versions.ts')).removedVersions;
}
